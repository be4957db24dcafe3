// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot call: one function per kind.

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_writer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_writer(CURL *handle, ccurl_writer writer, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return status ? status : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline long ccurl_response_code(CURL *handle) {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
