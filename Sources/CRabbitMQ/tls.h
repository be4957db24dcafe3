// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// What OpenSSL can do that librabbitmq does not offer: another server name than the address connected to, addresses
// in certificates, the system's trust store, and the reason of a refusal.

#pragma once
#include <amqp.h>
#include <amqp_ssl_socket.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/// What a handshake is to name, and what became of it. Belongs to one connection and outlives it.
typedef struct {
    /// The name to send to the server; empty sends none.
    char server_name[256];
    /// Why the server's certificate was refused: an X509_V_ERR_… value, or 0.
    int certificate_error;
    /// The latest alert that the server sent, or -1.
    int alert;
    /// When the server's certificate ends, in seconds since 1970, or 0.
    int64_t server_certificate_end;
} crabbitmq_tls;

/// When a certificate ends, in seconds since 1970, or 0 without one.
static inline int64_t crabbitmq_certificate_end(const X509 *certificate) {
    struct tm end;
    if (!certificate || !ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end)) return 0;
    return (int64_t)timegm(&end);
}

/// OpenSSL's context of a socket that amqp_ssl_socket_new has made.
static inline SSL_CTX *crabbitmq_tls_context(amqp_socket_t *socket) {
    return (SSL_CTX *)amqp_ssl_socket_get_context(socket);
}

static inline crabbitmq_tls *crabbitmq_tls_of(const SSL *ssl) {
    return (crabbitmq_tls *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
}

/// Called at the steps of a handshake: the first is the place to correct the name that librabbitmq has set.
static inline void crabbitmq_tls_step(const SSL *ssl, int where, int value) {
    crabbitmq_tls *tls = crabbitmq_tls_of(ssl);
    if (where & SSL_CB_HANDSHAKE_START && !SSL_is_init_finished(ssl)) {
        SSL_set_tlsext_host_name((SSL *)ssl, tls->server_name[0] ? tls->server_name : NULL);
    }
    if ((where & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT && (value & 0xff) != SSL_AD_CLOSE_NOTIFY) {
        tls->alert = value & 0xff;
    }
}

/// Called for each certificate of the server's chain; keeps the end of its own, and the reason of the first refusal.
static inline int crabbitmq_tls_verify(int accepted, X509_STORE_CTX *store) {
    SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    crabbitmq_tls *tls = crabbitmq_tls_of(ssl);
    tls->server_certificate_end = crabbitmq_certificate_end(X509_STORE_CTX_get0_cert(store));
    if (!accepted && tls->certificate_error == 0) tls->certificate_error = X509_STORE_CTX_get_error(store);
    return accepted;
}

/// Instead of a prompt on the terminal: a key in need of a password cannot be used.
static inline int crabbitmq_tls_no_password(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

/// Sets how a handshake goes. 1, or 0 on an error.
static inline int crabbitmq_tls_prepare(SSL_CTX *context, crabbitmq_tls *tls, int verifies) {
    tls->server_name[0] = 0;
    tls->certificate_error = 0;
    tls->alert = -1;
    tls->server_certificate_end = 0;
    if (!SSL_CTX_set_app_data(context, tls)) return 0;
    SSL_CTX_set_info_callback(context, crabbitmq_tls_step);
    SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, crabbitmq_tls_verify);
    SSL_CTX_set_default_passwd_cb(context, crabbitmq_tls_no_password);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}

/// Expects a certificate for a host's name, and sends the name. 1, or 0 on an error.
static inline int crabbitmq_tls_expect_name(SSL_CTX *context, crabbitmq_tls *tls, const char *name) {
    X509_VERIFY_PARAM *parameters = SSL_CTX_get0_param(context);
    size_t length = strlen(name);
    if (length >= sizeof tls->server_name) return 0;
    memcpy(tls->server_name, name, length + 1);
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(parameters, name, length) == 1;
}

/// Expects a certificate for an address, of which servers are not told. 1, or 0 when it is no address.
static inline int crabbitmq_tls_expect_address(SSL_CTX *context, const char *address) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_CTX_get0_param(context), address) == 1;
}

/// OpenSSL's word for the latest error of this thread, or NULL.
static inline const char *crabbitmq_tls_reason(void) {
    return ERR_reason_error_string(ERR_peek_last_error());
}
