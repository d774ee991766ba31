# Completions of locfleet for bash. Made by 'locfleet help --generate'; not for editing.
# shellcheck shell=bash

_locfleet_fleets() {
    locfleet fleet list --json --timeout 1 2> /dev/null |
        grep -o '"fleet":"[^"]*"' | cut -d '"' -f 4
}

# Sets `offer` to what the value of option $2 of verb $1 is; fails where it takes none.
_locfleet_value() {
    case "$1 $2" in
        "run --devices") offer=nothing ;;
        "run --days") offer=nothing ;;
        "run --seed") offer=nothing ;;
        "run --set") offer=nothing ;;
        "run --arm") offer=ending:.lua ;;
        "run --by") offer="words:persona ios persona,ios" ;;
        "run --workers") offer=nothing ;;
        "run --log") offer=files ;;
        "run --epoch") offer=nothing ;;
        "run --rate") offer="words:max 1x 60x 3600x" ;;
        "run --digests") offer=files ;;
        "run --shard") offer=nothing ;;
        "run -o") offer=files ;;
        "verify-determinism --devices") offer=nothing ;;
        "verify-determinism --days") offer=nothing ;;
        "verify-determinism --seed") offer=nothing ;;
        "verify-determinism --set") offer=nothing ;;
        "verify-determinism --arm") offer=ending:.lua ;;
        "why --device") offer=nothing ;;
        "why --arm") offer=ending:.lua ;;
        "why --devices") offer=nothing ;;
        "why --days") offer=nothing ;;
        "why --seed") offer=nothing ;;
        "why --set") offer=nothing ;;
        "why --socket") offer=files ;;
        "why --timeout") offer=nothing ;;
        "check --as") offer="words:behavior strategy" ;;
        "check --ios") offer=nothing ;;
        "test --ios") offer=nothing ;;
        "test --filter") offer=nothing ;;
        "test --seed") offer=nothing ;;
        "test --junit") offer=files ;;
        "new --in") offer=folders ;;
        "conformance --rule") offer=nothing ;;
        "conformance --case") offer=nothing ;;
        "conformance --set") offer=nothing ;;
        "lint --strategy") offer=ending:.lua ;;
        "lint --ios") offer=nothing ;;
        "lint --services") offer=nothing ;;
        "fleet create --name") offer=nothing ;;
        "fleet create --rate") offer="words:max 1x 60x 3600x" ;;
        "fleet create --by") offer="words:persona ios persona,ios" ;;
        "fleet create --arm") offer=ending:.lua ;;
        "fleet create --devices") offer=nothing ;;
        "fleet create --days") offer=nothing ;;
        "fleet create --seed") offer=nothing ;;
        "fleet create --set") offer=nothing ;;
        "fleet create --socket") offer=files ;;
        "fleet create --timeout") offer=nothing ;;
        "fleet list --socket") offer=files ;;
        "fleet list --timeout") offer=nothing ;;
        "fleet show --socket") offer=files ;;
        "fleet show --timeout") offer=nothing ;;
        "fleet start --socket") offer=files ;;
        "fleet start --timeout") offer=nothing ;;
        "fleet pause --socket") offer=files ;;
        "fleet pause --timeout") offer=nothing ;;
        "fleet resume --socket") offer=files ;;
        "fleet resume --timeout") offer=nothing ;;
        "fleet rate --socket") offer=files ;;
        "fleet rate --timeout") offer=nothing ;;
        "fleet step --socket") offer=files ;;
        "fleet step --timeout") offer=nothing ;;
        "fleet until --socket") offer=files ;;
        "fleet until --timeout") offer=nothing ;;
        "fleet fork --at") offer=nothing ;;
        "fleet fork --rate") offer="words:max 1x 60x 3600x" ;;
        "fleet fork --socket") offer=files ;;
        "fleet fork --timeout") offer=nothing ;;
        "fleet export -o") offer=folders ;;
        "fleet export --socket") offer=files ;;
        "fleet export --timeout") offer=nothing ;;
        "fleet stop --socket") offer=files ;;
        "fleet stop --timeout") offer=nothing ;;
        "fleet delete --socket") offer=files ;;
        "fleet delete --timeout") offer=nothing ;;
        "funnel --every") offer=nothing ;;
        "funnel --count") offer=nothing ;;
        "funnel --socket") offer=files ;;
        "funnel --timeout") offer=nothing ;;
        "metrics --format") offer="words:text json openmetrics" ;;
        "metrics --socket") offer=files ;;
        "metrics --timeout") offer=nothing ;;
        "top --every") offer=nothing ;;
        "top --count") offer=nothing ;;
        "top --socket") offer=files ;;
        "watch --type") offer="words:installed opened closed tapped feature primer prompt answer status callback settings world milestone fix crossing settings_alert request_ignored script_failure" ;;
        "watch --where") offer=nothing ;;
        "watch --socket") offer=files ;;
        "watch --timeout") offer=nothing ;;
        "device list --where") offer=nothing ;;
        "device list --limit") offer=nothing ;;
        "device list --after") offer=nothing ;;
        "device list --socket") offer=files ;;
        "device list --timeout") offer=nothing ;;
        "device show --arm") offer=nothing ;;
        "device show --socket") offer=files ;;
        "device show --timeout") offer=nothing ;;
        "device why --arm") offer=nothing ;;
        "device why --socket") offer=files ;;
        "device why --timeout") offer=nothing ;;
        "intervene --do") offer="words:settings precise terminate reboot reinstall location_services restrict_location reset_location_privacy force_quit delete_app upgrade_os background_app_refresh place_widget tap_location_button migrate_device strategy behavior options app_options" ;;
        "intervene --value") offer="some:.lua never ask_next_time while_using always true false" ;;
        "intervene --option") offer=nothing ;;
        "intervene --where") offer=nothing ;;
        "intervene --share") offer=nothing ;;
        "intervene --socket") offer=files ;;
        "intervene --timeout") offer=nothing ;;
        "jobs --socket") offer=files ;;
        "jobs --timeout") offer=nothing ;;
        "wait --job") offer=nothing ;;
        "wait --socket") offer=files ;;
        "wait --timeout") offer=nothing ;;
        "rpc --socket") offer=files ;;
        "rpc --timeout") offer=nothing ;;
        "limits --socket") offer=files ;;
        "limits --timeout") offer=nothing ;;
        "doctor --socket") offer=files ;;
        "doctor --arm") offer=ending:.lua ;;
        "doctor --devices") offer=nothing ;;
        "doctor --days") offer=nothing ;;
        "doctor --seed") offer=nothing ;;
        "doctor --set") offer=nothing ;;
        "daemon status --socket") offer=files ;;
        "daemon status --timeout") offer=nothing ;;
        "daemon reload --socket") offer=files ;;
        "daemon reload --timeout") offer=nothing ;;
        "daemon stop --socket") offer=files ;;
        "daemon stop --timeout") offer=nothing ;;
        *) return 1 ;;
    esac
}

# Sets `offer` to what operand $2, from 0, of verb $1 is.
_locfleet_operand() {
    case "$1 $2" in
        "run 0") offer=ending:.json5 ;;
        "merge "*) offer=files ;;
        "verify-determinism 0") offer=ending:.json5 ;;
        "why 0") offer=either:.json5 ;;
        "check "*) offer=files ;;
        "test "*) offer=ending:.lua ;;
        "new 0") offer="words:behavior strategy scenario" ;;
        "new 1") offer=nothing ;;
        "conformance 0") offer=ending:.jsonl ;;
        "lint 0") offer=ending:.plist ;;
        "rules 0") offer=nothing ;;
        "api 0") offer=nothing ;;
        "fleet create 0") offer=ending:.json5 ;;
        "fleet show 0") offer=fleets ;;
        "fleet start 0") offer=fleets ;;
        "fleet pause 0") offer=fleets ;;
        "fleet resume 0") offer=fleets ;;
        "fleet rate 0") offer=fleets ;;
        "fleet rate 1") offer="words:max 1x 60x 3600x" ;;
        "fleet step 0") offer=fleets ;;
        "fleet step 1") offer=nothing ;;
        "fleet until 0") offer=fleets ;;
        "fleet until 1") offer=nothing ;;
        "fleet fork 0") offer=fleets ;;
        "fleet fork 1") offer=nothing ;;
        "fleet export 0") offer=fleets ;;
        "fleet stop 0") offer=fleets ;;
        "fleet delete 0") offer=fleets ;;
        "funnel 0") offer=fleets ;;
        "metrics 0") offer=fleets ;;
        "top 0") offer=fleets ;;
        "watch 0") offer=fleets ;;
        "device list 0") offer=fleets ;;
        "device show 0") offer=fleets ;;
        "device show 1") offer=nothing ;;
        "device why 0") offer=fleets ;;
        "device why 1") offer=nothing ;;
        "intervene 0") offer=fleets ;;
        "wait 0") offer=fleets ;;
        "rpc 0") offer="words:rpc.discover daemon.status daemon.reload daemon.stop limits blob.have blob.put fleet.create fleet.list fleet.show fleet.start fleet.pause fleet.resume fleet.stop fleet.delete fleet.rate fleet.step fleet.until fleet.fork fleet.export blob.get funnel metrics funnel.subscribe watch unsubscribe device.list device.show why device.why intervene jobs wait" ;;
        "rpc 1") offer=nothing ;;
        "doctor 0") offer=ending:.json5 ;;
        *) offer=nothing ;;
    esac
}

# Sets `options` to those of verb $1.
_locfleet_options() {
    case "$1" in
        "run") options="--devices --days --seed --set --arm --by --workers --log --epoch --rate --profile --digests --json --csv --shard -o --help" ;;
        "merge") options="--json --csv --help" ;;
        "verify-determinism") options="--devices --days --seed --set --arm --json --help" ;;
        "why") options="--device --arm --devices --days --seed --set --json --socket --timeout --help" ;;
        "check") options="--as --ios --strict --watch --json --help" ;;
        "test") options="--ios --filter --seed --story --tap --json --junit --help" ;;
        "new") options="--in --json --help" ;;
        "conformance") options="--rule --case --set --delays --json --help" ;;
        "lint") options="--strategy --ios --services --json --help" ;;
        "rules") options="--questions --json --markdown --help" ;;
        "api") options="--json --annotations --help" ;;
        "fleet create") options="--name --paused --rate --by --arm --devices --days --seed --set --json --socket --timeout --help" ;;
        "fleet list") options="--json --socket --timeout --help" ;;
        "fleet show") options="--json --socket --timeout --help" ;;
        "fleet start") options="--json --socket --timeout --help" ;;
        "fleet pause") options="--json --socket --timeout --help" ;;
        "fleet resume") options="--json --socket --timeout --help" ;;
        "fleet rate") options="--json --socket --timeout --help" ;;
        "fleet step") options="--no-wait --json --socket --timeout --help" ;;
        "fleet until") options="--no-wait --json --socket --timeout --help" ;;
        "fleet fork") options="--at --paused --rate --no-wait --json --socket --timeout --help" ;;
        "fleet export") options="-o --devices --json --socket --timeout --help" ;;
        "fleet stop") options="--json --socket --timeout --help" ;;
        "fleet delete") options="--json --socket --timeout --help" ;;
        "funnel") options="--watch --every --count --json --socket --timeout --help" ;;
        "metrics") options="--format --json --socket --timeout --help" ;;
        "top") options="--every --count --json --socket --help" ;;
        "watch") options="--type --where --json --socket --timeout --help" ;;
        "device list") options="--where --limit --after --json --socket --timeout --help" ;;
        "device show") options="--arm --json --socket --timeout --help" ;;
        "device why") options="--arm --json --socket --timeout --help" ;;
        "intervene") options="--do --value --option --where --share --json --socket --timeout --help" ;;
        "jobs") options="--json --socket --timeout --help" ;;
        "wait") options="--job --json --socket --timeout --help" ;;
        "rpc") options="--json --socket --timeout --help" ;;
        "limits") options="--json --socket --timeout --help" ;;
        "doctor") options="--json --socket --arm --devices --days --seed --set --help" ;;
        "daemon status") options="--json --socket --timeout --help" ;;
        "daemon reload") options="--json --socket --timeout --help" ;;
        "daemon stop") options="--json --socket --timeout --help" ;;
        *) options=--help ;;
    esac
}

_locfleet_reply() {
    local kind=${offer%%:*} rest=${offer#*:}
    case $kind in
        words) mapfile -t COMPREPLY < <(compgen -W "$rest" -- "$cur") ;;
        fleets) mapfile -t COMPREPLY < <(compgen -W "$(_locfleet_fleets)" -- "$cur") ;;
        folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        files) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        ending)
            mapfile -t COMPREPLY < <(compgen -d -- "$cur"
                compgen -f -X "!*$rest" -- "$cur") ;;
        either)
            mapfile -t COMPREPLY < <(compgen -W "$(_locfleet_fleets)" -- "$cur"
                compgen -d -- "$cur"; compgen -f -X "!*$rest" -- "$cur") ;;
        some)
            mapfile -t COMPREPLY < <(compgen -W "${rest#* }" -- "$cur"
                compgen -d -- "$cur"; compgen -f -X "!*${rest%% *}" -- "$cur") ;;
    esac
    case $kind in
        folders | files | ending | either | some) compopt -o filenames 2> /dev/null ;;
    esac
}

_locfleet() {
    local cur=${COMP_WORDS[COMP_CWORD]} verb="" offer options word before="" count=0 i
    COMPREPLY=()
    # Bash takes the sign in --option=value for a word.
    [ "$cur" = "=" ] && cur=""
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [ "$word" = "=" ]; then
            continue
        elif [ -z "$verb" ]; then
            verb=$word
        elif [[ " fleet device daemon " == *" $verb "* ]]; then
            verb="$verb $word"
        elif [ -n "$before" ]; then
            before=""
        elif [[ $word == -* ]]; then
            if _locfleet_value "$verb" "$word"; then before=$word; fi
        else
            count=$((count + 1))
        fi
    done
    case $verb in
        "") offer="words:run merge verify-determinism why check test new conformance lint rules api fleet funnel metrics top watch device intervene jobs wait rpc limits doctor daemon help version" ;;
        help) offer="words:run merge verify-determinism why check test new conformance lint rules api fleet funnel metrics top watch device intervene jobs wait rpc limits doctor daemon help version rpc.discover daemon.status daemon.reload daemon.stop limits blob.have blob.put fleet.create fleet.list fleet.show fleet.start fleet.pause fleet.resume fleet.stop fleet.delete fleet.rate fleet.step fleet.until fleet.fork fleet.export blob.get funnel metrics funnel.subscribe watch unsubscribe device.list device.show why device.why intervene jobs wait" ;;
        fleet) offer="words:create list show start pause resume rate step until fork export stop delete" ;;
        device) offer="words:list show why" ;;
        daemon) offer="words:status reload stop" ;;
        *)
            if [ -n "$before" ]; then
                _locfleet_value "$verb" "$before"
            elif [[ $cur == -* ]]; then
                _locfleet_options "$verb"
                offer="words:$options"
            else
                _locfleet_operand "$verb" "$count"
            fi ;;
    esac
    _locfleet_reply
}

complete -F _locfleet locfleet
