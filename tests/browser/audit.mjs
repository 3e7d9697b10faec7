// Runs the server audit of graphql-http against a running service: GraphQL over HTTP, rule by rule.
// Prints every rule that is not kept, and how many are; a warning counts like an error.
//
//   node audit.mjs URL

import { auditServer } from "graphql-http";

const results = await auditServer({ url: process.argv[2] });
let kept = 0;
for (const result of results) {
  if (result.status === "ok") {
    kept += 1;
  } else {
    console.log(`${result.status} ${result.id} ${result.name}: ${result.reason}`);
    const { response } = result;
    if (response) console.log(`  ${response.status} ${response.headers.get("content-type")} ${await response.text()}`);
  }
}
console.log(`${kept} of ${results.length} rules are kept`);
process.exit(kept === results.length && kept > 0 ? 0 : 1);
