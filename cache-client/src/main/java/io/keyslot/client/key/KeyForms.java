// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the form of a key or of a part of it, by its class or by the name in stored text. */
final class KeyForms {
    private static final String RESERVED_IN_NAMES = ",():";

    private static final ClassValue<KeyForm> BY_CLASS = new ClassValue<>() {
        @Override
        protected KeyForm computeValue(Class<?> type) {
            return create(type);
        }
    };

    private KeyForms() {}

    /** Returns the form of the instances of a class, which may be one that refuses them. */
    static KeyForm of(Class<?> type) {
        return BY_CLASS.get(type);
    }

    /**
     * Returns the form whose name may be left out behind the tag of a cache's keys: that of the declared type, or that of
     * strings if the declared type has no instances of its own. Null if neither is possible.
     */
    static @Nullable KeyForm ofCache(Class<?> declared) {
        KeyForm only = only(declared);
        if (only != null) {
            return only;
        }
        if (declared != Object.class && !Modifier.isAbstract(declared.getModifiers())) {
            return of(declared);
        }
        return declared.isAssignableFrom(String.class) ? ScalarForms.STRING : null;
    }

    /** Returns the one form of all values of a declared type; null if there may be several, which must be named. */
    static @Nullable KeyForm only(Class<?> declared) {
        if (declared.isArray() && declared != byte[].class) {
            return new ArrayForm(declared.getComponentType());
        }
        if (isUnknownCollection(declared)) {
            return RefusedForm.ofCollection(declared, of(declared).name());
        }
        if (declared.isPrimitive() || declared.isEnum() || Modifier.isFinal(declared.getModifiers())) {
            return of(boxed(declared));
        }
        return null;
    }

    private static boolean isUnknownCollection(Class<?> declared) {
        return isButNotFrom(declared, List.class, ArrayList.class)
                || isButNotFrom(declared, Set.class, LinkedHashSet.class)
                || isButNotFrom(declared, Map.class, LinkedHashMap.class);
    }

    private static boolean isButNotFrom(Class<?> declared, Class<?> kind, Class<?> rebuilt) {
        return kind.isAssignableFrom(declared) && !declared.isAssignableFrom(rebuilt);
    }

    /** Returns the form with this name, loading a class only if the name is that of a class, and it is allowed. */
    static KeyForm named(String name, KeyClasses classes) {
        KeyForm wellKnown = wellKnown(name);
        if (wellKnown != null) {
            return wellKnown;
        }
        if (name.equals(SimpleKeyForm.NAME)) {
            return of(classes.loadKnown(SimpleKeyForm.CLASS_NAME));
        }
        return of(classes.load(classNameOf(name)));
    }

    private static @Nullable KeyForm wellKnown(String name) {
        KeyForm scalar = ScalarForms.named(name);
        return scalar == null ? CompositeForms.named(name) : scalar;
    }

    /** Returns whether a form is that of one class of the application, whose name is its own. */
    static boolean isOfOneClass(KeyForm form) {
        return form.name().indexOf('.') >= 0;
    }

    /** Returns the class name that {@link #className} made a form's name of. */
    static String classNameOf(String formName) {
        String unescaped = KeyText.unescape(formName);
        boolean isInDefaultPackage = unescaped.lastIndexOf('.') == 0;
        return isInDefaultPackage ? unescaped.substring(1) : unescaped;
    }

    /** Returns the name of a form that belongs to one class. It has a dot, even if the class is in no package. */
    static String className(Class<?> type) {
        String escaped = KeyText.escapeId(type.getName(), RESERVED_IN_NAMES);
        return escaped.indexOf('.') < 0 ? "." + escaped : escaped;
    }

    private static KeyForm create(Class<?> type) {
        KeyForm wellKnown = ScalarForms.of(type);
        if (wellKnown == null) {
            wellKnown = CompositeForms.of(type);
        }
        if (wellKnown != null) {
            return wellKnown;
        }
        if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
            return ScalarForm.ofEnum(enumClass(type));
        }
        if (ZoneId.class.isAssignableFrom(type)) {
            return ScalarForms.ZONE_ID;
        }
        try {
            return reflective(type);
        } catch (InaccessibleObjectException e) {
            return RefusedForm.of(type, "its package must be open to the module io.keyslot.client");
        }
    }

    private static KeyForm reflective(Class<?> type) {
        if (SerializableShape.isOfJdk(type)) {
            return RefusedForm.of(type, "it is a JDK class without a known form");
        }
        if (type.getName().equals(SimpleKeyForm.CLASS_NAME)) {
            return SimpleKeyForm.of(type);
        }
        if (type.isHidden()) {
            return RefusedForm.of(type, "it has no name by which it could be loaded");
        }
        if (type.isRecord()) {
            return new ObjectForm(type, RecordShape.of(type));
        }
        if (!Serializable.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) {
            return RefusedForm.of(type, "it is neither a record nor a Serializable class");
        }
        if (SerializableShape.extendsJdkClassWithFields(type)) {
            return RefusedForm.of(type, "it extends a JDK class that has fields");
        }
        return new ObjectForm(type, SerializableShape.of(type));
    }

    /** Returns the class that declares the constants: one with a body is an instance of a class of its own. */
    private static Class<?> enumClass(Class<?> type) {
        return type.isEnum() ? type : type.getSuperclass();
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }
}
