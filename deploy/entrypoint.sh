#!/bin/sh
# Runs one command of Parlour in its container, whatever the command is: serve, admin who, upgrade --check.
set -eu
if [ "${1:-}" = parlour ]; then # written once more, as it has to be after "docker compose exec parlour"
    shift
fi
if [ "${1:-}" = serve ]; then
    # The volume outlives the image: what a new one needs is compiled before it serves. Without it, bots play by chance.
    parlour warm || echo "parlour warm failed: bots may begin later, or play by chance" >&2
fi
exec parlour "$@"
