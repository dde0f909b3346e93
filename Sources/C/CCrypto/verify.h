#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

// OpenSSL's libcrypto for Swift: public keys and signatures in a few steps each. Nothing of it leaves an error behind,
// since libpq and libcurl look for theirs in the same queue of the thread.

/// A public key from parameters, which it checks; null if they make none.
static inline EVP_PKEY *parley_key_of(const char *kind, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = parameters ? EVP_PKEY_CTX_new_from_name(NULL, kind, NULL) : NULL;
    if (!context || EVP_PKEY_fromdata_init(context) <= 0 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) <= 0) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    ERR_clear_error();
    return key;
}

static inline EVP_PKEY *parley_rsa_key(
    const unsigned char *modulus, size_t modulus_size, const unsigned char *exponent, size_t exponent_size) {
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_size, NULL), *e = BN_bin2bn(exponent, (int)exponent_size, NULL);
    if (build && n && e && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e)) {
        parameters = OSSL_PARAM_BLD_to_param(build);
    }
    EVP_PKEY *key = parley_key_of("RSA", parameters);
    BN_free(n);
    BN_free(e);
    OSSL_PARAM_BLD_free(build);
    return key;
}

/// `point` has 65 bytes: 4, x, y. One that is not on the curve makes no key.
static inline EVP_PKEY *parley_p256_key(const unsigned char *point) {
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65)) {
        parameters = OSSL_PARAM_BLD_to_param(build);
    }
    EVP_PKEY *key = parley_key_of("EC", parameters);
    OSSL_PARAM_BLD_free(build);
    return key;
}

static inline EVP_PKEY *parley_ed25519_key(const unsigned char *bytes) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, bytes, 32);
    ERR_clear_error();
    return key;
}

/// Whether a signature is of this message. `hash` is null for a scheme that brings its own.
static inline int parley_is_signature(
    EVP_PKEY *key, const char *hash, const unsigned char *signature, size_t signature_size,
    const unsigned char *message, size_t message_size) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int is_right = context && EVP_DigestVerifyInit_ex(context, NULL, hash, NULL, NULL, key, NULL) == 1 &&
        EVP_DigestVerify(context, signature, signature_size, message, message_size) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_right;
}

/// Writes an ECDSA signature of 64 bytes, as in a JWT, in the form of ASN.1 that libcrypto takes.
/// Returns its size, at most 72; zero if there is none.
static inline size_t parley_ecdsa_in_asn1(const unsigned char *raw, unsigned char *out) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    int size = 0;
    if (signature && r && s && ECDSA_SIG_set0(signature, r, s)) {
        size = i2d_ECDSA_SIG(signature, &out);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(signature);
    ERR_clear_error();
    return size > 0 ? (size_t)size : 0;
}
