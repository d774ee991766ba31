/* Tells ThreadSanitizer of the slow paths of Swift's Mutex, which lie in a library of the toolchain
 * that is not instrumented: else whatever a contended lock guards looks like a race. Loaded before
 * that library (LD_PRELOAD); it changes nothing else.
 *
 * Source: swift 6.3, stdlib/public/Synchronization/Mutex/LinuxImpl.swift: the handle, which `self`
 * is the address of, is the word that the fast paths exchange where the compiler sees it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *self

/* Weak: a program of the toolchain's that is started with this has no sanitizer. */
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
__attribute__((swiftcall)) void unlock_slow(SELF) __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
    __attribute__((swiftcall)) void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    real(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
    __attribute__((swiftcall)) void (*real)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    real(self);
}
