// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ArrayNames;
import io.keyslot.client.codec.allow.ClassFiles;
import io.keyslot.client.codec.allow.ClassRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Reads objects of allowed classes, and limits allocation to what the number of bytes justifies. */
final class FilteredInput extends ObjectInputStream {
    /** Greater than for Kryo, because exceptions have long chains of causes. */
    private static final int MAX_DEPTH = 200;

    private final ReadAllowance allowance;
    private final AllowedClasses allowed;
    private final ClassLoader loader;

    FilteredInput(InputStream source, int totalBytes, AllowedClasses allowed, ClassLoader loader) throws IOException {
        super(source);
        this.allowed = allowed;
        this.loader = loader;
        allowance = new ReadAllowance(totalBytes);
        enableResolveObject(true);
        setObjectInputFilter(info -> isWithinLimits(info, totalBytes)
                ? ObjectInputFilter.Status.UNDECIDED
                : ObjectInputFilter.Status.REJECTED);
    }

    private boolean isWithinLimits(ObjectInputFilter.FilterInfo info, int totalBytes) {
        return info.depth() <= MAX_DEPTH
                && info.references() <= totalBytes
                && (info.arrayLength() < 0 || allowance.admitsArray(elementOf(info.serialClass()), info.arrayLength()));
    }

    private static Class<?> elementOf(@Nullable Class<?> array) {
        Class<?> element = array == null ? null : array.getComponentType();
        return element == null ? Object.class : element;
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
        ObjectStreamClass description = super.readClassDescriptor();
        if (description.getFields().length > JdkCodec.MOST_FIELDS) {
            throw new InvalidObjectException("A class has more than %d fields".formatted(JdkCodec.MOST_FIELDS));
        }
        return description;
    }

    /** Counts copies that the JDK's classes make of objects that may be referred to many times. */
    @Override
    protected Object resolveObject(Object object) throws IOException {
        allowance.requireCopied(OwnSizes.bytesOf(object));
        return object;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
        String name = description.getName();
        if (!allowed.test(name) && !ClassFiles.exist(ArrayNames.elementOf(name), loader)) {
            throw new ClassNotFoundException("A class is not known here");
        }
        if (!allowed.test(name)) {
            throw ClassRefusal.notAllowed(JdkCodec.NAME, ArrayNames.elementOf(name));
        }
        return Class.forName(name, false, loader);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
        throw new IOException("A dynamic proxy is not supported");
    }
}
