"""The cards of Chrononauts, one module a kind: constructor calls only."""
