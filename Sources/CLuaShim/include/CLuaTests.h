/*
 * Unit tests of scripts: a state in which the tests of one file run, beside the states of the
 * devices that they drive.
 */
#pragma once
#include "CLuaShim.h"

typedef struct clua_tests clua_tests;

/* Values that go to Swift and back, one after another:
 *   'n'                     nil
 *   't' 'f'                 true, false
 *   'd' and 8 bytes         a number, in this machine's order of bytes
 *   's', 4 bytes, text      a string and its length
 *   '{' (key value)... '}'  a table; its keys are numbers and strings, in no order */
enum {
    CLUA_TEST_REQUEST_BYTES_MAX = 16384,
    CLUA_TEST_DEPTH_MAX = 8 /* of tables within tables */
};

/* What tests reach of the host. `ask` is called while a test runs. It may call into other states,
 * whose errors end in their own lua_pcall, and never into this one.
 *
 * It takes what a test wants, a name and its arguments, and sets *reply to one value, which stays
 * as it is until the next call. Returns false where the test is to fail: the value says why. */
typedef struct {
    void *context;
    bool (*ask)(
        void *context, const uint8_t *request, size_t length, const uint8_t **reply,
        size_t *reply_length);
} clua_test_host;

/* Makes a state one for tests. `source` is the prelude of tests, which runs after the others.
 * NULL if memory runs out; what else fails is in *status. The state must outlive it. */
clua_tests *clua_tests_open(
    clua_state *state, clua_test_host host, const char *source, size_t length,
    enum clua_status *status);
void clua_tests_close(clua_tests *tests);

/* Loads a file of tests. What it declares is told by `ask`. */
enum clua_status clua_tests_load(
    clua_tests *tests, const char *source, size_t length, const char *name);
/* Runs the test of that name. */
enum clua_status clua_tests_run(clua_tests *tests, const char *name, size_t length);
