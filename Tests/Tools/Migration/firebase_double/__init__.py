"""A double of the Google services that an import out of Firebase calls.

It stands on public documents alone: the discovery document of firebaseml v1beta2, the REST reference of Remote Config, the
sources of Google's clients for installations and downloads, and firebase-tools for experiments. It knows nothing of the
import. Where the documents leave a choice, it takes the one that is harder for a client.
"""
