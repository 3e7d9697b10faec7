import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";

import { chance, MOST_MOVES, picks, present, type Played } from "./common.js";
import {
  BoardDocument,
  ChooseDocument,
  CreateMatchDocument,
  LegalMovesDocument,
  PlayCardDocument,
  TakeSeatDocument,
  type PlayCardInput,
} from "./generated/graphql.js";

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions: { code: string } }[];
}

export async function playGraphql(url: string): Promise<Played> {
  const below = chance(11);

  async function ask<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    token?: string,
  ): Promise<Data> {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/graphql-response+json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query: print(document), variables }),
    });
    const { data, errors } = (await response.json()) as Answer<Data>;
    const [error] = errors ?? [];
    if (error) throw new Error(`${error.extensions.code}: ${error.message}`);
    return present(data, "data");
  }

  const { createMatch } = await ask(CreateMatchDocument, {
    input: { game: "chrononauts", seats: 2 },
  });
  const { matchId, ownerToken, invites } = present(createMatch, "match");
  const tokens = new Map<number, string>();
  for (const { seat, invite } of invites) {
    const { takeSeat } = await ask(TakeSeatDocument, { input: { matchId, invite } });
    tokens.set(seat, present(takeSeat?.token, "token"));
  }
  for (let moves = 0; moves <= MOST_MOVES; moves += 1) {
    const { match } = await ask(BoardDocument, { id: matchId }, ownerToken);
    const { awaiting, version, outcome, board } = present(match, "board");
    if (board.__typename !== "ChrononautsBoard") throw new Error(`this is ${board.__typename}`);
    if (outcome) return { moves, version, winners: outcome.winners };
    const token = present(tokens.get(present(awaiting[0], "a seat that chooses")), "token");
    const { legalMoves } = await ask(LegalMovesDocument, { id: matchId }, token);
    const legal = present(legalMoves, "legal moves");
    const choice = present(legal.choice, "choice");
    const cards = legal.moves.filter((move) => move.type === "playCard");
    const named = cards[below(Math.max(1, cards.length))];
    if (named) {
      const { type: _, ...body } = named.body as { type: string } & Omit<PlayCardInput, "matchId">;
      await ask(PlayCardDocument, { input: { ...body, matchId } }, token);
    } else {
      const input = { matchId, choice: choice.id, picks: picks(choice, below), expectedVersion: legal.version };
      await ask(ChooseDocument, { input }, token);
    }
  }
  throw new Error("the match does not end");
}
