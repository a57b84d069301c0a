"""The only way out of a sandbox: a forward proxy that dials the hosts rules allow, and no other."""
