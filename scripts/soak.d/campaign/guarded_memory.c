// Loaded before a program (LD_PRELOAD): each larger piece of its memory ends just before a page that nobody may touch, so that
// a write past the end is noticed at once, also by code that no sanitizer was built into. Behind a piece are at least SLACK
// bytes, because engines read a little past the end on purpose; they must not change, which is looked at when it is freed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Smaller pieces are too many for a page each.
#define SMALLEST 64
#define SLACK 128
#define MARK 0xA7
#define PAGE 4096
// Addresses only. They are used once, so that what was freed stays out of reach; behind them memory is plain.
#define RESERVED ((size_t)1 << 42)

// In the page before a piece.
struct head {
    size_t size;
    uintptr_t start, end;
};

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static uintptr_t first, next;

__attribute__((constructor)) static void reserve(void) {
    void *start = mmap(NULL, RESERVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start != MAP_FAILED) {
        next = (uintptr_t)start;
        __atomic_store_n(&first, (uintptr_t)start, __ATOMIC_RELEASE);
    }
}

static int is_guarded(const void *piece) {
    uintptr_t start = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    return start != 0 && (uintptr_t)piece - start < RESERVED;
}

static struct head *head_of(void *piece) {
    return (struct head *)(((uintptr_t)piece & ~(uintptr_t)(PAGE - 1)) - PAGE);
}

static void *guarded(size_t alignment, size_t size) {
    if (__atomic_load_n(&first, __ATOMIC_ACQUIRE) == 0) return NULL;
    if (size < SMALLEST || size > RESERVED / 1024 || alignment > PAGE) return NULL;
    if (alignment < 16) alignment = 16;
    // The head's page, the piece with its slack, and the page that ends it.
    size_t inner = (size + SLACK + alignment + PAGE - 1) / PAGE * PAGE;
    size_t pages = inner / PAGE + 1;
    uintptr_t start = __atomic_fetch_add(&next, (pages + 1) * PAGE, __ATOMIC_RELAXED);
    if (start + (pages + 1) * PAGE > first + RESERVED) return NULL;
    if (mprotect((void *)start, pages * PAGE, PROT_READ | PROT_WRITE) != 0) return NULL;
    uintptr_t end = start + pages * PAGE;
    uintptr_t piece = (end - SLACK - size) & ~(uintptr_t)(alignment - 1);
    struct head *head = head_of((void *)piece);
    *head = (struct head){size, start, end};
    memset((void *)(piece + size), MARK, end - piece - size);
    return (void *)piece;
}

static void release(void *piece) {
    struct head head = *head_of(piece);
    for (const unsigned char *byte = (unsigned char *)piece + head.size; (uintptr_t)byte < head.end; byte++) {
        if (*byte != MARK) {
            static const char text[] = "guarded memory: something wrote past the end of a piece of memory\n";
            if (write(2, text, sizeof text - 1)) {}
            abort();
        }
    }
    madvise((void *)head.start, head.end - head.start, MADV_DONTNEED);
    mprotect((void *)head.start, head.end - head.start, PROT_NONE);
}

void *malloc(size_t size) {
    void *piece = guarded(16, size);
    return piece ? piece : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    // Fresh pages are zeros.
    void *piece = guarded(16, total);
    return piece ? piece : __libc_calloc(count, size);
}

void *memalign(size_t alignment, size_t size) {
    void *piece = guarded(alignment, size);
    return piece ? piece : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *piece = memalign(alignment, size);
    if (piece == NULL) return ENOMEM;
    *result = piece;
    return 0;
}

void free(void *piece) {
    if (is_guarded(piece)) release(piece);
    else __libc_free(piece);
}

void *realloc(void *old, size_t size) {
    if (old == NULL) return malloc(size);
    if (!is_guarded(old)) return __libc_realloc(old, size);
    if (size == 0) {
        free(old);
        return NULL;
    }
    void *piece = malloc(size);
    if (piece != NULL) {
        size_t kept = head_of(old)->size;
        memcpy(piece, old, kept < size ? kept : size);
        free(old);
    }
    return piece;
}

size_t malloc_usable_size(void *piece) {
    if (piece == NULL) return 0;
    if (is_guarded(piece)) return head_of(piece)->size;
    static size_t (*real)(void *);
    if (real == NULL) real = (size_t (*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
    return real(piece);
}
