"use strict";

// Requests go to this service alone; the token is typed into the editor of headers, from where it
// goes into the first message of a socket, too.
const EXAMPLE = `# The games played here. Press Ctrl-Enter to ask.
#
# To see a match as its player, write the token of a seat below, under Headers:
#   {"authorization": "Bearer …"}
#
# A subscription goes on until you stop it:
#   subscription { matchUpdates(matchId: "…") { version events { type data } } }
{
  games {
    name
    title
    minSeats
    maxSeats
  }
}
`;

const SOCKET = `${location.protocol.replace("http", "ws")}//${location.host}/graphql`;

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: "/graphql", subscriptionUrl: SOCKET }),
    defaultQuery: EXAMPLE,
    defaultEditorToolsVisibility: "headers",
    shouldPersistHeaders: false,
  }),
);
