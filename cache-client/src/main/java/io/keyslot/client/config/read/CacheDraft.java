// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.CacheOptions;

/** A cache as written in the file, before it is compared with the others; options that cannot be read are left out. */
record CacheDraft(String name, Section section, CacheOptions options) {
    String entityType() {
        return options.entityType() == null ? name : options.entityType();
    }
}
