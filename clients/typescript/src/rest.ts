import createClient from "openapi-fetch";

import { chance, MOST_MOVES, picks, present, type Played } from "./common.js";
import type { components, paths } from "./generated/rest.js";

type Move = NonNullable<
  paths["/v1/matches/{matchId}/moves"]["post"]["requestBody"]
>["content"]["application/json"];
type Problem = components["schemas"]["Problem"];

/** The data of an answer, or an error with the code of its problem. */
function answered<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data !== undefined) return answer.data;
  const problem = answer.error as Problem;
  throw new Error(`${problem.code}: ${problem.detail}`);
}

export async function playRest(url: string): Promise<Played> {
  const client = createClient<paths>({ baseUrl: url });
  const below = chance(7);
  const created = answered(
    await client.POST("/v1/matches", {
      body: { game: "chrononauts", seats: 2, options: {}, visibility: "private" },
    }),
  );
  const path = { matchId: created.matchId };
  const headers = new Map<number, { authorization: string }>();
  for (const { seat, invite } of created.invites) {
    const taken = answered(
      await client.POST("/v1/matches/{matchId}/seats", {
        params: { path },
        body: { invite, player: `player ${seat}` },
      }),
    );
    headers.set(seat, { authorization: `Bearer ${present(taken.token, "token")}` });
  }
  const owner = { authorization: `Bearer ${created.ownerToken}` };
  const view = answered(
    await client.GET("/v1/matches/{matchId}", { params: { path }, headers: owner }),
  );
  let { awaiting, version, outcome } = view;
  let moves = 0;
  for (; outcome === null; moves += 1) {
    if (moves > MOST_MOVES) throw new Error("the match does not end");
    const seat = present(awaiting[0], "a seat that chooses");
    const bearer = present(headers.get(seat), "token");
    const legal = answered(
      await client.GET("/v1/matches/{matchId}/legal-moves", { params: { path }, headers: bearer }),
    );
    const named = legal.moves[below(Math.max(1, legal.moves.length))];
    const choice = present(legal.choice, "choice");
    const body: Move = named
      ? (named.body as Move)
      : { type: "choose", choice: choice.id, picks: picks(choice, below) };
    const done = answered(
      await client.POST("/v1/matches/{matchId}/moves", {
        params: { path, header: { "If-Match": `"${legal.version}"`, "Idempotency-Key": `move-${moves}` } },
        headers: bearer,
        body,
      }),
    );
    ({ awaiting, version, outcome } = done);
  }
  return { moves, version, winners: outcome.winners };
}
