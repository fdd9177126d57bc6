// SPDX-License-Identifier: Apache-2.0

/** The API of Keyslot in addition to {@code javax.cache}: typed configuration, groups, locks, failures. */
module io.keyslot.api {
    requires static transitive org.jspecify;
    // The jar of JCache declares no module name, so this one comes from its file name.
    requires transitive cache.api;

    exports io.keyslot.cache;
    exports io.keyslot.cache.access;
    exports io.keyslot.cache.event;
    exports io.keyslot.cache.failure;
    exports io.keyslot.cache.feed;
    exports io.keyslot.cache.layout;
    exports io.keyslot.cache.near;
    exports io.keyslot.cache.queue;
    exports io.keyslot.cache.replica;
    exports io.keyslot.slot;
}
