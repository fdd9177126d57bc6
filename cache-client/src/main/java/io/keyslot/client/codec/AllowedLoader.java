// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;

/**
 * Resolves all class names in JSON for Jackson's type factory: of subtypes, {@link Class} values and modules. Refuses a
 * class before it is loaded if JSON may not name it.
 */
final class AllowedLoader extends ClassLoader {
    private final JsonTypeNames named;

    AllowedLoader(JsonTypeNames named, ClassLoader loader) {
        super("names-in-json", loader);
        this.named = named;
    }

    /** Throws a LinkageError for refused classes: after an exception, Jackson would try its own class loader. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        try {
            named.requireNameable(name);
        } catch (CodecException refusal) {
            throw new LinkageError("not loaded", refusal);
        }
        return getParent().loadClass(name);
    }
}
