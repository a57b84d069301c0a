"""The code index: what every file exports, is and says, kept beside the tree and always as fresh as it.

A base on disk that never changes once written, mapped into memory; over it, in memory, what has changed since.
Both together are a snapshot, and every question is answered from one snapshot.
"""
