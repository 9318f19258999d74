#!/bin/sh
# Whether the program at a port of this member answers.
[ "$(REDISCLI_AUTH="$REDIS_PASSWORD" valkey-cli -p "$1" ping)" = PONG ]
