"""The second stage: may this call be made? Decided by rules, then by a person, then remembered."""
