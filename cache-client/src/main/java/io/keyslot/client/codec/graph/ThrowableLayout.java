// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.graph.ObjectLayout.Layer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an exception of a class consists of, besides its stack trace, its cause and what it suppressed.
 *
 * @param parts what the JDK's part of it is made of
 * @param constructor makes that part, and leaves the fields of the layers as they are
 * @param layers the classes below the JDK's, the topmost first
 */
record ThrowableLayout(
        ThrowableParts<?> parts,
        Constructor<?> constructor,
        List<Layer> layers,
        @Nullable Method readResolve,
        int fingerprint) {
    ThrowableLayout {
        layers = List.copyOf(layers);
    }

    /** Returns the layout of a class that {@linkplain ThrowableParts#of has parts}. */
    static ThrowableLayout of(Class<?> type) {
        ThrowableParts<?> parts = ThrowableParts.of(type);
        if (parts == null) {
            throw new IllegalArgumentException(type.getName());
        }
        List<Layer> layers = ObjectLayout.layersOf(type);
        Fingerprint fingerprint = Fingerprint.start("throwable").add("parts", parts.type());
        ObjectLayout.addTo(fingerprint, layers);
        boolean isOfJdk = KnownClasses.isJdk(type.getName());
        return new ThrowableLayout(
                parts,
                parts.constructorFor(type),
                layers,
                isOfJdk ? null : SerialMethods.readResolve(type),
                fingerprint.value());
    }
}
