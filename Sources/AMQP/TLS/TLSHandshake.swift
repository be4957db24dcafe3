// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ

/// What one connection's handshake expects of the broker, and what went wrong in it.
///
/// OpenSSL refers to the memory behind it, so it must outlive the connection.
@safe
final class TLSHandshake {
    private let notes: UnsafeMutablePointer<crabbitmq_tls>
    private let settings: TLSSettings
    private let expectedName: String
    /// When the certificate ends that is shown to the broker, in seconds since 1970; nil where none is.
    private(set) var ownCertificateEnd: Int64?

    /// When the broker's certificate ends, in seconds since 1970; nil before the handshake.
    var brokerCertificateEnd: Int64? {
        let end = unsafe notes.pointee.server_certificate_end
        return end > 0 ? end : nil
    }

    /// Expects nothing yet.
    init(_ endpoint: AMQPURL) {
        unsafe notes = .allocate(capacity: 1)
        unsafe notes.initialize(to: crabbitmq_tls())
        settings = endpoint.tls
        // The interface of a link-local address is this host's affair.
        let name = endpoint.tls.serverName ?? endpoint.host
        expectedName = String(name.prefix { $0 != "%" })
    }

    deinit {
        unsafe notes.deallocate()
    }

    /// Sets up a connection's socket, which is not connected yet.
    ///
    /// The corresponding C function is `amqp_ssl_socket_new`.
    ///
    /// - Returns: the socket.
    /// - Throws: which setting OpenSSL cannot use; nothing is ever passed over.
    func socket(for connection: OpaquePointer) throws(AMQPError) -> OpaquePointer {
        guard let socket = unsafe amqp_ssl_socket_new(connection), let context = unsafe crabbitmq_tls_context(socket)
        else { throw AMQPError(.tlsFailed, "TLS cannot be used") }
        // The check of librabbitmq knows no addresses and only the name connected to; OpenSSL's own replaces it.
        unsafe amqp_ssl_socket_set_verify_peer(socket, settings.verifiesBroker ? 1 : 0)
        unsafe amqp_ssl_socket_set_verify_hostname(socket, 0)
        ERR_clear_error()
        let verifies: Int32 = settings.verifiesBroker ? 1 : 0
        try require(unsafe crabbitmq_tls_prepare(context, notes, verifies), "TLS 1.2 cannot be required")
        try unsafe trust(in: context)
        try unsafe identify(in: context)
        let isAddress = NameLookup.numericAddress(expectedName) != nil
        try require(
            isAddress
                ? unsafe crabbitmq_tls_expect_address(context, expectedName)
                : unsafe crabbitmq_tls_expect_name(context, notes, expectedName),
            "the server name '\(expectedName)' cannot be used")
        return unsafe socket
    }

    /// The corresponding C functions are `SSL_CTX_load_verify_locations` and `SSL_CTX_set_default_verify_paths`.
    private func trust(in context: OpaquePointer) throws(AMQPError) {
        guard settings.verifiesBroker else { return }
        if let file = settings.authorityFile {
            try require(
                unsafe SSL_CTX_load_verify_locations(context, file, nil),
                "the file of authorities \(file) cannot be used")
        } else {
            try require(
                unsafe SSL_CTX_set_default_verify_paths(context), "the system's authorities cannot be used")
        }
    }

    /// The corresponding C functions are `SSL_CTX_use_certificate_chain_file` and `SSL_CTX_use_PrivateKey_file`.
    private func identify(in context: OpaquePointer) throws(AMQPError) {
        guard let file = settings.certificateFile else {
            guard settings.keyFile == nil else {
                throw AMQPError(.tlsFailed, "a keyfile is given, and no certfile that it belongs to")
            }
            return
        }
        try require(
            unsafe SSL_CTX_use_certificate_chain_file(context, file), "the certificate file \(file) cannot be used")
        let end = unsafe crabbitmq_certificate_end(SSL_CTX_get0_certificate(context))
        ownCertificateEnd = end > 0 ? end : nil
        let key = settings.keyFile ?? file
        try require(
            unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM), "the key file \(key) cannot be used")
        try require(
            unsafe SSL_CTX_check_private_key(context), "the key of \(key) is not that of the certificate in \(file)")
    }

    private func require(_ result: Int32, _ failure: String) throws(AMQPError) {
        guard result != 1 else { return }
        throw AMQPError(.tlsFailed, failure + Self.reason)
    }

    /// OpenSSL's latest reason on this thread, in parentheses.
    private static var reason: String {
        guard let reason = unsafe crabbitmq_tls_reason() else { return "" }
        return unsafe " (\(String(cString: reason)))"
    }
}

extension TLSHandshake {
    /// Why the handshake failed.
    func failure() -> AMQPError {
        alertFailure() ?? certificateFailure() ?? AMQPError(.tlsFailed, "there is no TLS with the broker" + Self.reason)
    }

    /// What the broker's latest alert says; nil without one.
    ///
    /// Under TLS 1.3 a client's certificate is refused only after the client's side of the handshake.
    func alertFailure() -> AMQPError? {
        let alert = unsafe notes.pointee.alert
        guard alert >= 0 else { return nil }
        let words = unsafe String(cString: SSL_alert_desc_string_long(alert))
        let isAboutCertificate = Self.certificateAlerts.contains(alert)
        guard isAboutCertificate else { return AMQPError(.tlsFailed, "the broker refused TLS (\(words))") }
        return settings.certificateFile == nil
            ? AMQPError(.tlsFailed, "the broker wants a client certificate, and none is configured (\(words))")
            : AMQPError(.tlsFailed, "the broker refused the client certificate (\(words))")
    }

    /// Handshake failure, what is said of certificates, and that one is required.
    private static let certificateAlerts: Set<Int32> = [40, 42, 43, 44, 45, 46, 48, 49, 116]

    private func certificateFailure() -> AMQPError? {
        let code = unsafe notes.pointee.certificate_error
        guard code != X509_V_OK else { return nil }
        let words = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        let problem =
            switch code {
            case X509_V_ERR_CERT_HAS_EXPIRED: "has expired"
            case X509_V_ERR_CERT_NOT_YET_VALID: "is not valid yet"
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: "is not for '\(expectedName)'"
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
                "is not signed by a trusted authority"
            default: "is not accepted"
            }
        return AMQPError(.tlsFailed, "the broker's certificate \(problem) (\(words))")
    }

    /// The failure of a login that the connection did not survive.
    ///
    /// A broker that refuses a certificate may hang up before its alert is read.
    func loginFailure(_ error: AMQPError) -> AMQPError {
        if let failure = alertFailure() { return failure }
        guard error.code == .disconnected else { return error }
        return AMQPError(.disconnected, "\(error); perhaps the broker refused the client certificate, or wants one")
    }
}
