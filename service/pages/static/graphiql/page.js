"use strict";

// Requests go to this service alone; the token is typed into the editor of headers.
const EXAMPLE = `# The games played here. Press Ctrl-Enter to ask.
#
# To see a match as its player, write the token of a seat below, under Headers:
#   {"authorization": "Bearer …"}
{
  games {
    name
    title
    minSeats
    maxSeats
  }
}
`;

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: "/graphql" }),
    defaultQuery: EXAMPLE,
    defaultEditorToolsVisibility: "headers",
    shouldPersistHeaders: false,
  }),
);
