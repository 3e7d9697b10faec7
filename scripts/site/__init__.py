"""The documentation pages, made of `docs/*.md` and of the contract; the service hands them out."""
