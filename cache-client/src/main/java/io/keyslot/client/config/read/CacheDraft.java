// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.CacheOptions;

/**
 * A cache as it was written, before it is compared with the others.
 *
 * @param name the name of the cache
 * @param section where it was written
 * @param options what was written, as far as it can be read
 */
record CacheDraft(String name, Section section, CacheOptions options) {
    String entityType() {
        return options.entityType() == null ? name : options.entityType();
    }
}
