// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.key.KeyForms.KeyForm;
import io.keyslot.slot.KeyText;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The forms of one cache's keys, and the classes that stored keys name. A class is loaded if it is allowed, or if the
 * application has used keys of it in this cache, so that it finds what it put. Safe for use by several threads.
 */
final class KeyClasses {
    /** The maximum number of remembered classes; the configuration must allow further ones. */
    private static final int MOST_USED = 1000;

    private final Class<?> declaredType;
    private final ClassLoader classLoader;
    private final Predicate<String> allowed;
    private final Codec<Object> codec;
    private final Set<String> used;
    private final ScalarForm others;
    private final ScalarForm ofClass;

    KeyClasses(Class<?> declaredType, ClassLoader classLoader, Predicate<String> allowed, Codec<Object> codec) {
        this(declaredType, classLoader, allowed, codec, ConcurrentHashMap.newKeySet(), null);
    }

    private KeyClasses(
            Class<?> declaredType,
            ClassLoader classLoader,
            Predicate<String> allowed,
            Codec<Object> codec,
            Set<String> used,
            @Nullable ScalarForm others) {
        this.declaredType = declaredType;
        this.classLoader = classLoader;
        this.allowed = allowed;
        this.codec = codec;
        this.used = used;
        this.others = others == null ? new ScalarForm(codec.name(), this::encode, this::decode) : others;
        this.ofClass = new ScalarForm(ScalarForm.CLASS.name(), this::name, this::loadNamed);
    }

    /** Returns the same for text that this process has just written itself. */
    KeyClasses allowingAll() {
        return new KeyClasses(declaredType, classLoader, name -> true, codec, used, others);
    }

    /** Returns the form of all unknown classes: the bytes of the codec. */
    ScalarForm others() {
        return others;
    }

    KeyForm of(Class<?> type) {
        return ofThisCache(KeyForms.of(type));
    }

    @Nullable
    KeyForm only(Class<?> declared) {
        KeyForm only = KeyForms.only(declared);
        return only == null ? null : ofThisCache(only);
    }

    @Nullable
    KeyForm ofCache() {
        KeyForm form = KeyForms.ofCache(declaredType);
        return form == null ? null : ofThisCache(form);
    }

    /** Returns the form with this name. Loads a class only if the name is that of a class, and it is allowed. */
    KeyForm named(String name) {
        KeyForm wellKnown = name.equals(others.name()) ? others : KeyForms.wellKnown(name);
        if (wellKnown != null) {
            return ofThisCache(wellKnown);
        }
        String ofLibrary = KeyForms.libraryClass(name);
        KeyForm form = KeyForms.of(ofLibrary == null ? load(KeyForms.classNameOf(name)) : loadKnown(ofLibrary));
        if (!form.name().equals(name)) {
            throw new IllegalArgumentException("it does not name a form that keys can have");
        }
        return form;
    }

    private KeyForm ofThisCache(KeyForm form) {
        if (form == KeyForms.OTHER) {
            return others;
        }
        return form == ScalarForm.CLASS ? ofClass : form;
    }

    private String encode(Object key) {
        try {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(codec.encode(key));
        } catch (CodecException e) {
            throw new IllegalArgumentException(
                    "class %s has no text form as a key, and as bytes it is refused: %s. Use a record, an EntityKey, a String, a number or a UUID"
                            .formatted(key.getClass().getName(), e.getMessage()),
                    e);
        }
    }

    private Object decode(String text) {
        return codec.decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)));
    }

    private String name(Object key) {
        String name = ((Class<?>) key).getName();
        if (used.size() < MOST_USED) {
            used.add(name);
        }
        return name;
    }

    private Object loadNamed(String name) {
        return Stream.of(
                        boolean.class,
                        byte.class,
                        char.class,
                        short.class,
                        int.class,
                        long.class,
                        float.class,
                        double.class,
                        void.class)
                .filter(primitive -> primitive.getName().equals(name))
                .<Object>map(primitive -> primitive)
                .findFirst()
                .orElseGet(() -> name.startsWith("java.") ? loadKnown(name) : load(name));
    }

    void use(KeyForm form) {
        if (KeyForms.isOfOneClass(form) && used.size() < MOST_USED) {
            used.add(KeyForms.classNameOf(form.name()));
        }
    }

    /** Returns a class that the application must have allowed, without initializing it. */
    private Class<?> load(String name) {
        if (name.equals(declaredType.getName())) {
            return declaredType;
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("it does not name a form that keys can have");
        }
        if (!used.contains(name) && !allowed.test(name)) {
            throw new IllegalArgumentException(
                    "its class %s is not allowed; add it to codec.allow if it is trusted".formatted(printable(name)));
        }
        return loadKnown(name);
    }

    private Class<?> loadKnown(String name) {
        try {
            return Class.forName(name, false, classLoader);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // On case-insensitive file systems, a name in the wrong case is a NoClassDefFoundError.
            throw new IllegalArgumentException(
                    "its class %s is not visible to the cache's class loader".formatted(printable(name)), e);
        }
    }

    /** Escapes control characters: a forged name may be meant for a log. */
    private static String printable(String name) {
        return KeyText.escapeId(name);
    }
}
