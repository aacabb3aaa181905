// The door to libmicrohttpd. The inline functions exist because the calls they stand for are variadic,
// which Swift cannot import; one of them also reaches the TLS session that libmicrohttpd keeps.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <microhttpd.h>

/// Everything `MHD_start_daemon` is told, as one value. Strings must live until the daemon is stopped.
struct mhd_settings {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int per_address_limit;
    unsigned int idle_seconds;
    size_t connection_memory_bytes;
    const char *certificate_pem;
    const char *key_pem;
    void *context;
    MHD_AcceptPolicyCallback accept;
    MHD_AccessHandlerCallback access;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
};

/// `MHD_start_daemon` with an epoll loop on each thread; TLS where a certificate is given. NULL on failure.
static inline struct MHD_Daemon *mhd_start(const struct mhd_settings *settings) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem options[15];
    int count = 0;
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, settings->listen_socket, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->per_address_limit, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds, NULL};
    options[count++] = (struct MHD_OptionItem){
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory_bytes, NULL};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL};
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
    }
    options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        flags, 0, settings->accept, settings->context, settings->access, settings->context,
        MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The client's address, or NULL. Valid while the connection is.
static inline const struct sockaddr *mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// What the connection callback kept for the connection, or NULL.
static inline void *mhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket, owned by libmicrohttpd, or -1.
static inline int mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// Bytes of the request line and header fields; defined once the header is complete.
static inline size_t mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// The status of the queued answer, or 0 where none was queued.
static inline unsigned int mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info == NULL ? 0 : info->http_status;
}

/// GnuTLS is libmicrohttpd's own dependency; this one function is all that is needed of it.
extern ssize_t gnutls_record_send(void *session, const void *data, size_t data_size);

/// Sends bytes past libmicrohttpd's response machinery, which takes no answer while a body arrives.
/// True when all were accepted by the socket. Never raises SIGPIPE on libmicrohttpd's threads.
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
