# shellcheck shell=bash
# What every experiment begins with: its options, the project's root as the folder, and Locfleet.
# Sourced after `devices` has its default, with the experiment's own words; not run.
#
# The program is $LOCFLEET where that is set, else the release build, else `locfleet` on PATH.
case "${1-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
complain() {
  echo "${0##*/}: $1" >&2
  exit 2
}
while [ "$#" -gt 0 ]; do
  [ "$1" = --devices ] || complain "unknown option $1; there is --devices N"
  [[ "${2-}" =~ ^[1-9][0-9]{0,7}$ ]] || complain "--devices takes a number of devices above 0"
  devices=$2
  shift 2
done

locfleet=${LOCFLEET-}
case $locfleet in */*) locfleet=$(realpath -m -- "$locfleet") ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
if [ -z "$locfleet" ]; then
  locfleet=.build/release/locfleet
  [ -x "$locfleet" ] || locfleet=locfleet
fi
command -v "$locfleet" > /dev/null ||
  complain "there is no $locfleet; build it: swift build -c release"
command -v jq > /dev/null || complain "there is no jq; scripts/dev/setup --test installs it"
echo "$devices devices" >&2
