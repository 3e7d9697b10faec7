// Plays a whole match of Chrononauts through the client generated from OpenAPI, and another through
// the one generated from the GraphQL schema. Prints one line each.
//
//   node build/play.js URL

import { playGraphql } from "./graphql.js";
import { playRest } from "./rest.js";

const url = process.argv[2];
if (url === undefined) throw new Error("name the service: node build/play.js http://127.0.0.1:8000");

for (const [name, play] of [["REST", playRest], ["GraphQL", playGraphql]] as const) {
  const { moves, version, winners } = await play(url);
  console.log(`${name}: ${moves} moves, version ${version}, won by ${winners.join(", ") || "nobody"}`);
}
