# shellcheck shell=bash
# A daemon of the experiment's own, in a folder that goes with it. Sourced after common.sh; not run.
#
# The program is $LOCFLEETD where that is set, else `locfleetd` beside Locfleet.
folder=$(mktemp -d)
export LOCFLEET_SOCKET=$folder/socket
daemon=${LOCFLEETD-}
if [ -z "$daemon" ]; then
  # shellcheck disable=SC2154 # common.sh has it.
  case $locfleet in */*) daemon=${locfleet%/*}/locfleetd ;; *) daemon=locfleetd ;; esac
fi
command -v "$daemon" > /dev/null || complain "there is no $daemon; build it: swift build -c release"
"$daemon" --state "$folder/state" 2> "$folder/log" &
pid=$!
trap 'kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; rm -rf "$folder"' EXIT
until [ -S "$LOCFLEET_SOCKET" ]; do
  kill -0 "$pid" 2> /dev/null || complain "the daemon does not start: $(tail -n 1 "$folder/log")"
  sleep 0.02
done
