#!/bin/sh
# An agent as match scripts of the ACPC start it, with the dealer's host and port: acpc-agent.sh HOST PORT
# DOYLE_AGENT and DOYLE_GAME say who plays what; `doyle acpc script AGENT` writes one with both filled in.
exec doyle acpc play "${DOYLE_AGENT:-random}" "$1" "$2" --game "${DOYLE_GAME:-holdem-nl-200bb}"
