#pragma once
#include <crypt.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

// What OpenSSL's macros and long sequences do, one call each. Those that return an int return 1 on success.

/// Never asks a person for a password.
static inline int parley_crypto_no_password(char *room, int size, int writing, void *context) {
    (void)room, (void)size, (void)writing, (void)context;
    return -1;
}
/// A private key in PEM; null if it is none.
static inline EVP_PKEY *parley_crypto_read_private(const unsigned char *pem, int length) {
    BIO *source = BIO_new_mem_buf(pem, length);
    if (source == NULL) return NULL;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(source, NULL, parley_crypto_no_password, NULL);
    BIO_free(source);
    ERR_clear_error();
    return key;
}
/// Writes a private key as PEM (PKCS #8).
/// - Returns: its length; 0 if it does not fit.
static inline int parley_crypto_write_private(EVP_PKEY *key, char *room, int size) {
    BIO *sink = BIO_new(BIO_s_mem());
    if (sink == NULL) return 0;
    int length = 0;
    if (PEM_write_bio_PKCS8PrivateKey(sink, key, NULL, NULL, 0, NULL, NULL) == 1) length = BIO_read(sink, room, size);
    if (length < 0 || BIO_ctrl_pending(sink) != 0) length = 0;
    BIO_free(sink);
    return length;
}
/// 'E': a key on P-256, 'R': an RSA key, 0: another one.
static inline int parley_crypto_kind(EVP_PKEY *key) {
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA) return 'R';
    char name[32] = "";
    size_t length = 0;
    if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC) return 0;
    if (EVP_PKEY_get_group_name(key, name, sizeof name, &length) != 1) return 0;
    return OBJ_sn2nid(name) == NID_X9_62_prime256v1 ? 'E' : 0;
}
static inline int parley_crypto_bits(EVP_PKEY *key) { return EVP_PKEY_get_bits(key); }

static inline EVP_PKEY *parley_crypto_make_p256(void) { return EVP_EC_gen("P-256"); }

/// A public key of 65 bytes, or with a scalar of 32 the private key; null if the point is not on the curve.
static inline EVP_PKEY *parley_crypto_p256(const unsigned char *point, const unsigned char *scalar) {
    EVP_PKEY *key = NULL;
    unsigned char turned[32];
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM parts[4] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65),
        OSSL_PARAM_construct_end(),
        OSSL_PARAM_construct_end(),
    };
    if (scalar != NULL) {
        BIGNUM *number = BN_bin2bn(scalar, 32, NULL);  // A parameter has the machine's order of bytes.
        if (number != NULL && BN_bn2nativepad(number, turned, 32) == 32)
            parts[2] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, turned, 32);
        BN_clear_free(number);
    }
    int selection = scalar == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
    if (context != NULL && EVP_PKEY_fromdata_init(context) == 1) EVP_PKEY_fromdata(context, &key, selection, parts);
    EVP_PKEY_CTX_free(context);
    if (key != NULL) {
        EVP_PKEY_CTX *check = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
        if (check == NULL || EVP_PKEY_public_check(check) != 1) {
            EVP_PKEY_free(key);
            key = NULL;
        }
        EVP_PKEY_CTX_free(check);
    }
    ERR_clear_error();
    return key;
}
/// The public key, uncompressed in 65 bytes.
static inline int parley_crypto_point(EVP_PKEY *key, unsigned char *room) {
    size_t length = 0;
    return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, room, 65, &length) == 1
        && length == 65 && room[0] == 4;
}
/// The shared secret of ECDH, 32 bytes.
static inline int parley_crypto_agree(EVP_PKEY *own, EVP_PKEY *other, unsigned char *room) {
    size_t length = 32;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    int done = context != NULL && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
        && EVP_PKEY_derive(context, room, &length) == 1 && length == 32;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return done;
}
/// Signs with SHA-256.
/// - Returns: the signature's length; 0 on failure.
static inline long parley_crypto_sign(
    EVP_PKEY *key, const unsigned char *text, size_t count, unsigned char *room, size_t size) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t length = size;
    int done = context != NULL && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, room, &length, text, count) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return done ? (long)length : 0;
}
/// Turns a signature of ECDSA in DER into the 64 bytes of JWTs (RFC 7518, 3.4).
static inline int parley_crypto_raw_signature(const unsigned char *der, long count, unsigned char *room) {
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, count);
    if (signature == NULL) return 0;
    const BIGNUM *r = ECDSA_SIG_get0_r(signature), *s = ECDSA_SIG_get0_s(signature);
    int done = BN_bn2binpad(r, room, 32) == 32 && BN_bn2binpad(s, room + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return done;
}
/// HMAC-SHA-256, 32 bytes.
static inline int parley_crypto_hmac(
    const unsigned char *key, int keyCount, const unsigned char *text, size_t count, unsigned char *room) {
    unsigned int length = 0;
    return HMAC(EVP_sha256(), key, keyCount, text, count, room, &length) != NULL && length == 32;
}
/// AES-128-GCM with a nonce of 12 bytes. `room` gets the text and the 16 bytes of the tag.
static inline int parley_crypto_seal(
    const unsigned char *key, const unsigned char *nonce, const unsigned char *text, int count, unsigned char *room) {
    int length = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = context != NULL && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1
        && EVP_EncryptUpdate(context, room, &length, text, count) == 1 && length == count
        && EVP_EncryptFinal_ex(context, room + count, &length) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, room + count) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}
/// The hash of Firebase's passwords: `signer` encrypted by AES-256-CTR with a key of scrypt. `room` gets as many bytes.
static inline int parley_crypto_firebase(
    const char *password, size_t password_count, const unsigned char *salt, size_t salt_count, unsigned int memory,
    unsigned int rounds, const unsigned char *signer, int signer_count, unsigned char *room) {
    unsigned char key[32];
    static const unsigned char counter[16] = {0};
    uint64_t cost = (uint64_t)1 << memory;
    int length = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = context != NULL
        && EVP_PBE_scrypt(
               password, password_count, salt, salt_count, cost, rounds, 1, 256 * cost * rounds + (1 << 20), key,
               sizeof key) == 1
        && EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, key, counter) == 1
        && EVP_EncryptUpdate(context, room, &length, signer, signer_count) == 1 && length == signer_count;
    EVP_CIPHER_CTX_free(context);
    OPENSSL_cleanse(key, sizeof key);
    ERR_clear_error();
    return done;
}
/// PBKDF2 with HMAC of SHA-256, or else of SHA-1.
static inline int parley_crypto_pbkdf2(
    int is_sha256, const char *password, int password_count, const unsigned char *salt, int salt_count, int rounds,
    unsigned char *room, int count) {
    const EVP_MD *digest = is_sha256 ? EVP_sha256() : EVP_sha1();
    int done = PKCS5_PBKDF2_HMAC(password, password_count, salt, salt_count, rounds, digest, count, room);
    ERR_clear_error();
    return done;
}
/// bcrypt, by libcrypt, with the settings and the salt at the beginning of `stored`. `room` gets a text as long as
/// that, with its zero.
static inline int parley_crypto_bcrypt(const char *password, const char *stored, char *room, size_t size) {
    // 32 KiB: too much for the stack of a thread.
    struct crypt_data *data = calloc(1, sizeof *data);
    if (data == NULL) return 0;
    const char *hash = crypt_r(password, stored, data);
    int done = hash != NULL && hash[0] == '$' && strlen(hash) + 1 == size;
    if (done) memcpy(room, hash, size);
    OPENSSL_cleanse(data, sizeof *data);
    free(data);
    return done;
}
