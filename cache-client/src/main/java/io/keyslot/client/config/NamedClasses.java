// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.Codec;
import io.keyslot.client.codec.Codecs;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.function.Predicate;

/** Checks classes named in settings with the manager's class loader, without initializing them. */
record NamedClasses(ClassLoader loader) {
    private static final String FOUND = "must be on the class path of the cache manager";

    Optional<String> type(Section section, String key) {
        return section.read(key, String.class).filter(name -> check(section, key, name, FOUND, found -> true));
    }

    Optional<String> maker(Section section, String key, Class<?> expected) {
        return section.read(key, String.class).filter(name -> checkMaker(section, key, name, expected));
    }

    Optional<String> codec(Section section, String key) {
        return section.read(key, String.class)
                .filter(name -> Codecs.names().contains(name) || checkMaker(section, key, name, Codec.class));
    }

    private boolean checkMaker(Section section, String key, String name, Class<?> expected) {
        String rule = "must be a %s with a public constructor without parameters".formatted(expected.getSimpleName());
        return check(section, key, name, rule, found -> expected.isAssignableFrom(found) && hasConstructor(found));
    }

    private static boolean hasConstructor(Class<?> type) {
        try {
            return !Modifier.isAbstract(type.getModifiers())
                    && type.getConstructor().canAccess(null);
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private boolean check(Section section, String key, String name, String rule, Predicate<Class<?>> test) {
        try {
            if (test.test(Class.forName(name, false, loader))) {
                return true;
            }
            section.refuse(key, rule);
        } catch (ClassNotFoundException e) {
            if (loader instanceof ConfigurationLoader.WithoutApplications && name.contains(".")) {
                return true;
            }
            section.refuse(key, FOUND);
        } catch (LinkageError e) {
            section.refuse(key, "must be a class that can be loaded: " + e);
        }
        return false;
    }
}
