#ifndef HEARTH_CCURL_SHIM_H
#define HEARTH_CCURL_SHIM_H

#include <curl/curl.h>

// 7.88: CURLOPT_PROTOCOLS_STR (7.85), and TLS writes with send(MSG_NOSIGNAL), so that a peer that disconnects cannot
// kill the process with SIGPIPE.
#if LIBCURL_VERSION_NUM < 0x075800
#error "Hearth needs libcurl 7.88 or newer"
#endif

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call, and they rely on the caller to pass the
// type that the option needs. One adapter per type lets the compiler check it.

static inline CURLcode hearth_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode hearth_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// curl copies the string during the call.
static inline CURLcode hearth_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// curl keeps the list: it must live until the transfer ends.
static inline CURLcode hearth_set_headers(CURL *handle, struct curl_slist *headers) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// curl keeps the buffer (CURL_ERROR_SIZE bytes): it must live until it is replaced or the handle is reset.
static inline CURLcode hearth_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode hearth_set_header_function(CURL *handle, curl_write_callback function, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
    return status != CURLE_OK ? status : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

static inline CURLcode hearth_set_write_function(CURL *handle, curl_write_callback function, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
    return status != CURLE_OK ? status : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline CURLcode hearth_set_read_function(CURL *handle, curl_read_callback function, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_READFUNCTION, function);
    return status != CURLE_OK ? status : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

static inline CURLcode hearth_set_seek_function(CURL *handle, curl_seek_callback function, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
    return status != CURLE_OK ? status : curl_easy_setopt(handle, CURLOPT_SEEKDATA, context);
}

static inline CURLcode hearth_set_progress_function(CURL *handle, curl_xferinfo_callback function, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
    return status != CURLE_OK ? status : curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
}

static inline CURLcode hearth_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode hearth_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

#endif
