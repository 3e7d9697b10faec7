"""What clients see: types, operations, errors; GraphQL and OpenAPI are built from them. No I/O."""
