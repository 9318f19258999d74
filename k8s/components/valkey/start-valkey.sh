#!/bin/sh
# Starts one of the two programs of a member: start-valkey.sh server|sentinel. The primary is the one that the Sentinels of the other
# members name; where none answers, all members begin anew and the first one is the primary.
set -eu
domain=valkey
me="$HOSTNAME.$domain"

primary() {
  for member in 0 1 2; do
    [ "valkey-$member" = "$HOSTNAME" ] && continue
    named=$(REDISCLI_AUTH="$REDIS_PASSWORD" timeout 2 valkey-cli -h "valkey-$member.$domain" -p 26379 --raw \
      sentinel get-master-addr-by-name malipo 2>/dev/null | head -n 1) || named=
    case $named in valkey-*) echo "$named" && return ;; esac
  done
  echo "valkey-0.$domain"
}

# No other user may read a password.
umask 077
at=$(primary)
case $1 in
  server)
    {
      echo 'dir /data'
      echo "requirepass $REDIS_PASSWORD"
      echo "masterauth $REDIS_PASSWORD"
      echo "replica-announce-ip $me"
      # noeviction, because a queue must not lose jobs as a cache loses its entries.
      echo 'maxmemory 384mb'
      echo 'maxmemory-policy noeviction'
      echo 'save ""'
      # A replica drops its data and copies the primary straight into memory, as no client reads a replica. The other modes need
      # more room: on-empty-db may write the copy to /data (16 MiB), and swapdb keeps the old data in memory (512 MiB).
      echo 'repl-diskless-load flush-before-load'
      [ "$at" = "$me" ] || echo "replicaof $at 6379"
    } >/data/valkey.conf
    exec valkey-server /data/valkey.conf
    ;;
  sentinel)
    {
      echo 'port 26379'
      echo 'dir /data'
      echo "requirepass $REDIS_PASSWORD"
      # Sentinels use the names of pods, because a pod keeps its name and changes its address.
      echo 'sentinel resolve-hostnames yes'
      echo 'sentinel announce-hostnames yes'
      echo "sentinel announce-ip $me"
      echo "sentinel monitor malipo $at 6379 2"
      echo "sentinel auth-pass malipo $REDIS_PASSWORD"
      echo "sentinel sentinel-pass $REDIS_PASSWORD"
      echo 'sentinel down-after-milliseconds malipo 5000'
      echo 'sentinel failover-timeout malipo 30000'
    } >/data/sentinel.conf
    exec valkey-server /data/sentinel.conf --sentinel
    ;;
esac
