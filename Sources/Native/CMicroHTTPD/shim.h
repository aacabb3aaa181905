// libmicrohttpd for Swift. The inline functions exist because Swift cannot import the variadic functions that they
// wrap; one of them also reaches the TLS session of libmicrohttpd.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
// Swift's own module of the C library lacks it.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <microhttpd.h>

/// Where the lines of libmicrohttpd's log go.
struct mhd_log {
    void (*line)(void *context, const char *format);
    void *context;
};

/// Passes a line on without its values: Swift cannot take a `va_list` on every processor.
static inline void mhd_pass_line(void *log, const char *format, va_list values) {
    const struct mhd_log *to = (const struct mhd_log *)log;
    (void)values;
    to->line(to->context, format);
}

/// All arguments of `MHD_start_daemon`, as one value. Strings and the log must live until the daemon is stopped.
struct mhd_settings {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int idle_seconds;
    size_t connection_memory_bytes;
    const char *certificate_pem;
    const char *key_pem;
    const char *tls_priorities;
    void *context;
    MHD_AcceptPolicyCallback accept;
    MHD_AccessHandlerCallback access;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    struct mhd_log *log;
};

/// `MHD_start_daemon` with an epoll loop on each thread, and with TLS if a certificate is given. NULL on failure.
static inline struct MHD_Daemon *mhd_start(const struct mhd_settings *settings) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem options[16];
    int count = 0;
    // First, as libmicrohttpd requires, so that messages about the other options are logged too.
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)mhd_pass_line, settings->log};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, settings->listen_socket, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds, NULL};
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory_bytes, NULL};
    // What a stricter library refuses itself gets no answer, or an answer that is sent twice. So Hearth makes these
    // checks.
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL};
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context};
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connection, settings->context};
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->target, settings->context};
    if (settings->threads > 1) {
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, settings->threads, NULL};
    }
    if (settings->certificate_pem != NULL) {
        flags |= MHD_USE_TLS;
        options[count++] = (struct MHD_OptionItem){
            MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate_pem};
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key_pem};
        options[count++] = (struct MHD_OptionItem){
            MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->tls_priorities};
    }
    options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        flags, 0, settings->accept, settings->context, settings->access, settings->context,
        MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The client's address, or NULL. Valid as long as the connection.
static inline const struct sockaddr *mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// The pointer that the connection callback stored for the connection, or NULL.
static inline void *mhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket, owned by libmicrohttpd, or -1.
static inline int mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// A number from the connection's `struct tcp_info`; 0 if the system does not say. The header with this part of it
/// cannot be included beside the C library's older one. The offsets are part of the kernel's stable interface.
static inline uint64_t mhd_tcp_number(struct MHD_Connection *connection, size_t place) {
    enum { tcp_info_option = 11 };
    unsigned char info[256];
    uint64_t number = 0;
    socklen_t size = sizeof info;
    if (getsockopt(mhd_socket(connection), IPPROTO_TCP, tcp_info_option, info, &size) != 0) return 0;
    if (size >= place + sizeof number) memcpy(&number, info + place, sizeof number);
    return number;
}

/// Bytes of the connection that the peer's machine has confirmed.
static inline uint64_t mhd_confirmed_bytes(struct MHD_Connection *connection) {
    enum { place_of_bytes_acked = 120 };
    return mhd_tcp_number(connection, place_of_bytes_acked);
}

/// Bytes received from the peer's machine.
static inline uint64_t mhd_received_bytes(struct MHD_Connection *connection) {
    enum { place_of_bytes_received = 128 };
    return mhd_tcp_number(connection, place_of_bytes_received);
}

/// The size of request line and header fields, in bytes; defined when the header is complete.
static inline size_t mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Whether the whole header of the present request has arrived.
static inline bool mhd_has_whole_header(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

/// The status of the queued answer; 0 if there is none.
static inline unsigned int mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info == NULL ? 0 : info->http_status;
}

/// An answer of unknown length that is read piece by piece. `done` is called with `context` after the last read; not if
/// NULL is returned.
static inline struct MHD_Response *mhd_streamed_response(
    MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback done) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read, context, done);
}

/// What the reader of an answer returns in place of a number of bytes.
enum { mhd_end_of_stream = -1, mhd_end_with_error = -2 };

// GnuTLS is libmicrohttpd's own dependency. Hearth needs only these functions of it.
struct gnutls_text {
    const unsigned char *data;
    unsigned int size;
};
extern ssize_t gnutls_record_send(void *session, const void *data, size_t data_size);
extern void gnutls_transport_set_ptr2(void *session, void *receiving, void *sending);
extern void gnutls_transport_set_pull_function(void *session, ssize_t (*pull)(void *context, void *data, size_t size));
extern int gnutls_x509_crt_init(void **certificate);
extern int gnutls_x509_crt_import(void *certificate, const struct gnutls_text *text, int format);
extern void gnutls_x509_crt_deinit(void *certificate);
extern int gnutls_x509_privkey_init(void **key);
extern int gnutls_x509_privkey_import(void *key, const struct gnutls_text *text, int format);
extern void gnutls_x509_privkey_deinit(void *key);
extern int gnutls_certificate_allocate_credentials(void **credentials);
extern int gnutls_certificate_set_x509_key_mem(
    void *credentials, const struct gnutls_text *certificate, const struct gnutls_text *key, int format);
extern void gnutls_certificate_free_credentials(void *credentials);
extern int gnutls_credentials_set(void *session, int type, void *credentials);
extern const char *gnutls_strerror(int status);

/// `GNUTLS_X509_FMT_PEM`.
enum { mhd_pem = 1 };

static inline struct gnutls_text mhd_text(const char *pem) {
    return (struct gnutls_text){(const unsigned char *)pem, (unsigned int)strlen(pem)};
}

/// 0 if the text begins with a certificate, otherwise GnuTLS' status.
static inline int mhd_check_certificate(const char *pem) {
    void *certificate = NULL;
    const struct gnutls_text text = mhd_text(pem);
    int status = gnutls_x509_crt_init(&certificate);
    if (status != 0) return status;
    status = gnutls_x509_crt_import(certificate, &text, mhd_pem);
    gnutls_x509_crt_deinit(certificate);
    return status;
}

/// 0 if the text is a private key without a password, otherwise GnuTLS' status.
static inline int mhd_check_key(const char *pem) {
    void *key = NULL;
    const struct gnutls_text text = mhd_text(pem);
    int status = gnutls_x509_privkey_init(&key);
    if (status != 0) return status;
    status = gnutls_x509_privkey_import(key, &text, mhd_pem);
    gnutls_x509_privkey_deinit(key);
    return status;
}

/// 0 if the certificates of a chain can be read and the key belongs to the first, otherwise GnuTLS' status.
static inline int mhd_check_pair(const char *certificate_pem, const char *key_pem) {
    void *credentials = NULL;
    const struct gnutls_text certificate = mhd_text(certificate_pem);
    const struct gnutls_text key = mhd_text(key_pem);
    int status = gnutls_certificate_allocate_credentials(&credentials);
    if (status != 0) return status;
    status = gnutls_certificate_set_x509_key_mem(credentials, &certificate, &key, mhd_pem);
    gnutls_certificate_free_credentials(credentials);
    return status < 0 ? status : 0;
}

/// Stores a certificate with its chain and its key, ready for connections, in `credentials`. Returns 0, or GnuTLS'
/// status. Free it with `gnutls_certificate_free_credentials` when no connection uses it any more.
static inline int mhd_make_credentials(const char *certificate_pem, const char *key_pem, void **credentials) {
    const struct gnutls_text certificate = mhd_text(certificate_pem);
    const struct gnutls_text key = mhd_text(key_pem);
    int status = gnutls_certificate_allocate_credentials(credentials);
    if (status != 0) return status;
    status = gnutls_certificate_set_x509_key_mem(*credentials, &certificate, &key, mhd_pem);
    if (status >= 0) return 0;
    gnutls_certificate_free_credentials(*credentials);
    *credentials = NULL;
    return status;
}

/// Lets a TLS connection that has just begun use this certificate in place of the one that the daemon was started with.
/// The credentials must live as long as the connection.
static inline void mhd_use_credentials(struct MHD_Connection *connection, void *credentials) {
    enum { certificate_type = 1 };
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (tls == NULL || tls->tls_session == NULL) return;
    gnutls_credentials_set(tls->tls_session, certificate_type, credentials);
}

/// Lets a TLS connection receive through `pull`, which must read the connection's socket like `recv`.
static inline void mhd_receive_tls_through(
    struct MHD_Connection *connection, ssize_t (*pull)(void *context, void *data, size_t size), void *context) {
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (tls == NULL || tls->tls_session == NULL) return;
    gnutls_transport_set_ptr2(tls->tls_session, context, (void *)(intptr_t)mhd_socket(connection));
    gnutls_transport_set_pull_function(tls->tls_session, pull);
}

/// Sends bytes without libmicrohttpd's response functions, which take no answer while a body arrives. True if the
/// socket accepted all bytes. Never raises SIGPIPE on libmicrohttpd's threads.
static inline bool mhd_send_now(struct MHD_Connection *connection, const void *bytes, size_t count) {
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    ssize_t sent;
    if (tls != NULL && tls->tls_session != NULL) {
        sent = gnutls_record_send(tls->tls_session, bytes, count);
    } else {
        sent = send(mhd_socket(connection), bytes, count, MSG_NOSIGNAL);
    }
    return sent >= 0 && (size_t)sent == count;
}

#endif
