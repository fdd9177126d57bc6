// SPDX-License-Identifier: Apache-2.0

/** What an application may use beyond {@code javax.cache}: typed configuration, groups, locks, failures. */
module io.keyslot.api {
    requires static transitive org.jspecify;
    // The module of JCache: its jar says no name, so that of its file is taken.
    requires transitive cache.api;

    exports io.keyslot.cache;
    exports io.keyslot.cache.access;
    exports io.keyslot.cache.event;
    exports io.keyslot.cache.failure;
    exports io.keyslot.cache.layout;
    exports io.keyslot.cache.near;
    exports io.keyslot.cache.replica;
    exports io.keyslot.slot;
}
