// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;

/**
 * The class loader that Jackson asks for what it has by name. A class that may not be named is refused before it is loaded.
 *
 * <p>Jackson has one way from a name to a class, the class loader of its type factory, whatever has named it: what says of
 * which subtype a value is, a field or a key of type {@link Class}, or a module. It finds the classes of fields in another way.
 */
final class AllowedLoader extends ClassLoader {
    private final JsonTypeNames named;

    AllowedLoader(JsonTypeNames named, ClassLoader loader) {
        super("names-in-json", loader);
        this.named = named;
    }

    /**
     * Finds a class as its parent does.
     *
     * @throws LinkageError if it may not be named. After an exception Jackson would ask the loader of its own classes.
     */
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
