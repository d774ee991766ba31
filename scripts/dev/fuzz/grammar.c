/* Scripts out of a grammar: each `$x` in a template is one of the list of that letter. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const numbers[] = {
    "0", "1", "2", "-1", "3.5", "0/0", "1/0", "-1/0", "2^53 + 1", "1 << 62", "math.mininteger",
    "1e308", "0x7fffffffffffffff", "1e-320", "60", "255", "16384", "65537"};

static const char *const strings[] = {
    "''", "'x'", "'allow_once'", "'allow_while_using'", "'dont_allow'", "'continue'", "'never'",
    "'open_settings'", "'2d'", "'1e9d'", "'authorizedAlways'", "'store_finder'", "'a\\0b'",
    "'\\xff\\xfe'", "'%'", "'(.-)%1'", "'%b()'", "'[%a'", "('x'):rep(9999)", "'why'",
    "'\\u{7fffffff}'", "'26.0'", "'%s %d %q %5.1f'", "'%p'"};

static const char *const variables[] = {
    "self", "a", "b", "c", "v", "v", "i", "shared", "shared", "app", "app.manager", "phone", "rng",
    "string", "table", "math", "coroutine", "_ENV", "_G", "a.options", "a.choices", "print",
    "error", "tostring", "rng.uniform", "phone.force_quit", "metric", "pcall", "setmetatable"};

static const char *const fields[] = {
    "x", "y", "n", "options", "choices", "kind", "status", "ios", "device", "has", "ordinal",
    "manager", "authorizationStatus", "accuracyAuthorization", "allowsBackgroundLocationUpdates",
    "requestLocation", "requestWhenInUseAuthorization", "show_primer", "feature_done", "milestone",
    "startMonitoring", "identifier", "horizontalAccuracy", "local_hour", "after", "precise",
    "weekday", "settings", "uniform", "rep", "__index", "id", "share"};

static const char *const metamethods[] = {
    "__index", "__newindex", "__call", "__len", "__eq", "__lt", "__le", "__concat", "__add",
    "__unm", "__tostring", "__gc", "__close", "__mode", "__name", "__metatable", "__pairs"};

static const char *const operators[] = {"+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<",
    "<=", "and", "or", "&", "|", "~", "<<", ">>"};

static const char *const calls[] = {
    "$v($e)", "$v.$f($e, $e)", "$v:$f($e)", "rng.uniform()", "rng.chance($e)",
    "rng.integer($e, $e)", "rng.exponential($e)", "rng.normal($e, $e)", "rng.lognormal($e, $e)",
    "rng.pick { $f = $e, $f = $e }", "rng.pick($e)", "rng.shuffle($e)", "odds($e, $e)",
    "phone.settings($e)", "phone.precise($e)", "phone.reinstall($e)", "phone.upgrade_os($e)",
    "phone.force_quit($e)", "phone.delete_app()", "phone.place_widget()",
    "app:show_primer { id = $e, text = $e }", "app:show_settings_alert()",
    "app:feature_done($e, $e)", "app:milestone($e)", "app.available($e)",
    "app:after($e, function(self, app) $s end)", "app:every($e, function() $s end):cancel()",
    "app:start(function(self, app) $s wait($e) $s end)", "wait($e)", "metric.count($e, $e)",
    "metric.observe($t, $e)", "funnel.step($e)", "CLLocationManager($e):release()",
    "CLLocationManager():requestWhenInUseAuthorization()",
    "CLServiceSession { authorization = $e }",
    "CLMonitor($t):add { identifier = $e, latitude = $e, longitude = $e, radius = $e }",
    "CLBackgroundActivitySession():invalidate()", "CLLocationUpdate.liveUpdates():cancel()",
    "app.managers[$e]", "app.service_sessions[$e]",
    "app.manager:requestAlwaysAuthorization($e)", "app.manager:startUpdatingLocation()",
    "app.manager:startMonitoring { identifier = $e, latitude = $e, longitude = $e, radius = $e }",
    "app.manager:stopMonitoring($e)", "string.rep($e, $e)", "string.format($t, $e, $e)",
    "string.gsub($e, $t, $e)", "string.find($e, $t, $e)", "string.gmatch($e, $t)",
    "($t):match($t)", "string.byte($e, $e, $e)", "string.char($e)", "string.sub($e, $e, $e)",
    "table.concat($e, $e)", "table.insert($e, $e)", "table.insert($e, $e, $e)",
    "table.remove($e, $e)", "table.move($e, $e, $e, $e)", "table.sort($e, $e)",
    "table.unpack($e, $e, $e)", "table.pack($e, $e)", "select($e, $e, $e)", "next($e)",
    "tonumber($e, $e)", "tostring($e)", "math.tointeger($e)", "math.fmod($e, $e)",
    "math.floor($e)", "pcall($e, $e)", "pcall(function() $b end)", "error($e)", "assert($e, $e)",
    "setmetatable({}, { $m = $e })", "setmetatable($e, $e)", "getmetatable($e)",
    "coroutine.wrap(function(...) $b end)($e)", "coroutine.resume(coroutine.create($e), $e)",
    "coroutine.yield($e)", "coroutine.status($e)", "print($e, $e)", "type($e)"};

static const char *const expressions[] = {
    "nil", "true", "false", "$n", "$n", "$t", "$t", "$v", "$v", "$v.$f", "self.$f", "$v[$e]", "{}",
    "{ $e, $e, $e }", "{ $f = $e, [$e] = $e }", "($e $o $e)", "(-$e)", "(#$e)", "(not $e)",
    "(function(...) $b end)", "(function(i, v) return $e end)", "$c", "$c", "select('#')"};

static const char *const statements[] = {
    /* What must not pass from one device to the next, or go beyond a limit. */
    "shared.n = (shared.n or 0) + 1; print(shared.n)", "shared.y[$n] = $e; print(shared.y[$n])",
    "table.insert(shared.y, 1); print(#shared.y)", "self.n = (self.n or 0) + 1; print(self.n)",
    "for i = 1, 300 do phone.force_quit() end", "for i = 1, 300 do app:milestone($t) end",
    "for i = 1, 300 do $c end", "for i = 1, $n do self[i] = $e end", "print(self.$f, shared.$f)",
    "local v = $e", "local i, v = $e, $e", "self.$f = $e", "self[$e] = $e", "shared.$f = $e",
    "$v.$f = $e", "v = $e", "if $e then $b end", "if $e then $b else $b end",
    "for i = $n, $n do $b end", "for i, v in pairs($e) do $b end",
    "for i, v in ipairs($e) do $b end", "while $e do $b end", "repeat $b until $e", "do $b end",
    "local w <close> = $e", "local w <const> = $e", "local function v(i) $b end",
    "pcall(print, $e)",
    "local _ = $c", "local _ = $c", "local _ = $c", "do goto on ::on:: end",
    "do return $e, $e end"};

/* What fails is often caught, so that something comes after it. */
static const char *const blocks[] = {"$s", "$s; $s", "$s; $s; $s", "",
    "pcall(function() $s end); $s", "pcall(function() $s end); pcall(function() $s end)",
    "print(pcall(function() return $e end)); $s"};

static const struct { char letter; const char *const *list; size_t count; } lists[] = {
    {'n', numbers, COUNT(numbers)},       {'t', strings, COUNT(strings)},
    {'v', variables, COUNT(variables)},   {'f', fields, COUNT(fields)},
    {'m', metamethods, COUNT(metamethods)}, {'o', operators, COUNT(operators)},
    {'c', calls, COUNT(calls)},           {'e', expressions, COUNT(expressions)},
    {'s', statements, COUNT(statements)}, {'b', blocks, COUNT(blocks)},
};

/* Beyond this depth only what has no parts. */
enum { DEPTH_MAX = 7 };

static void expand(dice *d, const char *template, int depth, text *out) {
    for (const char *c = template; *c != 0; c++) {
        if (*c != '$') {
            add(out, c, 1);
            continue;
        }
        char letter = *++c;
        if (depth >= DEPTH_MAX && strchr("ec", letter)) letter = "ntv"[below(d, 3)];
        if (depth >= DEPTH_MAX && strchr("sb", letter)) continue;
        for (size_t i = 0; i < COUNT(lists); i++)
            if (lists[i].letter == letter)
                expand(d, lists[i].list[below(d, lists[i].count)], depth + 1, out);
    }
}

void generate_expression(dice *d, text *out) { expand(d, "$e", DEPTH_MAX - 3, out); }

static const char *const behavior_hooks[] = {"born", "next_open", "session_length", "next_tap",
    "answer_prompt", "answer_primer", "answer_settings_alert", "each_day"};
static const char *const strategy_hooks[] = {"launched", "entered_foreground",
    "entered_background", "tapped", "primer_answered", "settings_alert_answered",
    "locationManagerDidChangeAuthorization", "didChangeAuthorization", "didUpdateLocations",
    "didFailWithError", "monitoringDidFail"};

void generate_script(dice *d, bool is_strategy, text *out) {
    const char *const *hooks = is_strategy ? strategy_hooks : behavior_hooks;
    size_t count = is_strategy ? COUNT(strategy_hooks) : COUNT(behavior_hooks);
    expand(d, "local v, a, b, c, i\nlocal shared = { x = $n, y = { $n, $t } }\n", 0, out);
    if (one_in(d, 9)) expand(d, "local M = $e\n", DEPTH_MAX - 3, out);
    if (one_in(d, 20)) expand(d, "$s\n", DEPTH_MAX - 2, out);
    expand(d, "return {\n", 0, out);
    expand(d, "  options = { share = { default = 0.5 }, n = { default = 3 } },\n", 0, out);
    for (size_t i = 0; i < count; i++) {
        expand(d, "  ", 0, out);
        add(out, hooks[i], strlen(hooks[i]));
        expand(d, " = function(self, a, b, c, ...)\n    local v, i\n    $b\n    $b\n", 0, out);
        expand(d, one_in(d, 2) ? "    do return $e, $e end\n  end,\n" : "  end,\n", 0, out);
    }
    expand(d, "}\n", 0, out);
}
