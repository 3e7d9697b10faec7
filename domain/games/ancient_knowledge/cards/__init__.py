"""The cards of Ancient Knowledge, one module a kind: constructor calls only."""
