#ifndef HEARTH_COPENSSL_SHIM_H
#define HEARTH_COPENSSL_SHIM_H

#include <openssl/opensslv.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "Hearth needs OpenSSL 3.0 or newer: it uses the EVP_MAC and provider interfaces"
#endif

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

// BIO_get_mem_data is a macro with a cast, which Swift cannot import. The bytes belong to the BIO, and are valid until
// it is written to or freed.
static inline long hearth_bio_memory(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

// Without a callback, PEM readers ask for a passphrase on the terminal. This callback answers "no passphrase", so that
// an encrypted key fails and does not block a server.
static inline int hearth_refuse_passphrase(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

// An OSSL_PARAM keeps the pointers that it is made from, and a Swift string's pointer is valid during one call only; in
// C the names are constants. The key is only read during the call.
static inline int hearth_hmac_sha256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t length) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_init(context, key, length, parameters);
}

// Swift cannot take pointers to static inline functions, so the reader is wrapped together with the callback.
static inline EVP_PKEY *hearth_read_private_key(BIO *bio) {
    return PEM_read_bio_PrivateKey(bio, NULL, hearth_refuse_passphrase, NULL);
}

static inline EVP_PKEY *hearth_read_public_key(BIO *bio) {
    return PEM_read_bio_PUBKEY(bio, NULL, hearth_refuse_passphrase, NULL);
}

#endif
