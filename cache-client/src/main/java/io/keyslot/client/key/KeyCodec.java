// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.key.KeyForms.KeyForm;
import io.keyslot.client.key.KeyLayout.KeyParts;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeyHash;
import io.keyslot.slot.KeyText;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts the keys of one cache to the text under which they are stored, and back. Keys have the same text if and only
 * if they are equal. Decodes only the text that {@link #encode} writes, so that each entry has exactly one key. Safe for
 * use by several threads.
 *
 * <ul>
 *   <li>An entity key names its parts itself: {@link KeyLayout}.
 *   <li>A key with a {@code @GroupKey}, in a grouped cache, is a member: its root is in the hash tag, the rest follows.
 *   <li>The text of any other key is the root's id; its {@link KeyForm} follows the tag, unless it is the cache's.
 * </ul>
 */
public final class KeyCodec<K> {
    private static final byte[] NOTHING = {};

    private final KeySpace space;
    private final Class<K> declaredType;
    private final KeyClasses classes;
    private final KeyLayout layout;
    private final @Nullable KeyForm formOfCache;
    /** Marks a key with the form in which its entry is stored; null if that is an envelope outside of an index. */
    private final @Nullable UnaryOperator<EncodedKey> mark;

    private final @Nullable KeyHash hash;

    /** Not volatile: an outdated value is correct as well. */
    private @Nullable ScalarKeys lastScalar;

    private KeyCodec(
            KeySpace space,
            Class<K> declaredType,
            KeyClasses classes,
            @Nullable KeyHash hash,
            @Nullable UnaryOperator<EncodedKey> mark) {
        this.space = space;
        this.declaredType = declaredType;
        this.classes = classes;
        this.formOfCache = classes.ofCache();
        this.layout = KeyLayout.of(space, ScalarForm.ENTITY_KEY.equals(formOfCache));
        this.hash = hash;
        this.mark = mark;
    }

    /**
     * Returns the codec of a cache, whose keys may name allowed classes and the declared type; {@code others} encodes
     * keys of unknown classes, with the same bytes for equal keys. The first key without a text form fails, not the
     * declared type, as the subclasses in use are not known yet.
     */
    public static <K> KeyCodec<K> create(
            KeySpace space,
            Class<K> declaredType,
            ClassLoader classLoader,
            Predicate<String> allowedClasses,
            Codec<Object> others) {
        return new KeyCodec<>(
                space, declaredType, new KeyClasses(declaredType, classLoader, allowedClasses, others), null, null);
    }

    /** Returns a codec whose stored keys are marked for what their cache requires of writes. */
    public KeyCodec<K> marked(UnaryOperator<EncodedKey> stored) {
        return new KeyCodec<>(space, declaredType, classes, hash, stored);
    }

    /** Returns a codec whose stored keys have hashes in place of ids, or this one if the argument is null. */
    public KeyCodec<K> hashed(@Nullable KeyHash ids) {
        return ids == null ? this : new KeyCodec<>(space, declaredType, classes, ids, mark);
    }

    /** Returns whether stored keys contain hashes in place of ids, so that they cannot be decoded. */
    public boolean isHashed() {
        return hash != null;
    }

    /** Returns the beginning of all stored keys of this cache, and of no other: {@code shop/customer:}. */
    public String prefix() {
        return layout.prefix();
    }

    /**
     * Throws {@code ClassCastException} if the key is not of the declared type.
     * @throws IllegalArgumentException if the key has no text form, or is an entity key of another cache
     */
    public EncodedKey encode(K key) {
        if (!declaredType.isInstance(key) && !KeyForms.isSimpleKey(key)) { // callers of JCache were checked before
            throw new ClassCastException("Cache of entity type %s: a key is of class %s, must be of class %s"
                    .formatted(space.entityType(), key.getClass().getName(), declaredType.getName()));
        }
        EncodedKey encoded = hash == null ? encoded(key) : hash.hashed(prefix(), encoded(key));
        return mark == null ? encoded : mark.apply(encoded);
    }

    private EncodedKey encoded(K key) {
        ScalarKeys last = lastScalar;
        if (last != null && last.type == key.getClass()) {
            return last.encode(key); // most caches have keys of one class
        }
        try {
            KeyForm form = classes.of(key.getClass());
            if (form instanceof ScalarForm scalar && form != classes.others() && !(key instanceof EntityKey)) {
                return scalarKeys(key.getClass(), scalar).encode(key);
            }
            ItemWriter writer = new ItemWriter(classes);
            String text = write(key, writer);
            if (writer.needsProof()) {
                prove(key, text);
                writer.proven();
            }
            classes.use(form);
            writer.named().forEach(classes::use);
            return EncodedKey.of(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Cache of entity type %s: cannot store a key of class %s: %s"
                            .formatted(space.entityType(), key.getClass().getName(), e.getMessage()),
                    e);
        }
    }

    private ScalarKeys scalarKeys(Class<?> type, ScalarForm form) {
        classes.use(form);
        String formName = nameFor(form);
        ScalarKeys keys = isBare(formName)
                ? new ScalarKeys(type, form, layout.bare(), NOTHING)
                : new ScalarKeys(
                        type,
                        form,
                        layout.tagged(),
                        KeyLayout.behindRoot(formName).getBytes(StandardCharsets.UTF_8));
        lastScalar = keys;
        return keys;
    }

    private String write(Object key, ItemWriter writer) {
        return layout.join(key instanceof EntityKey entityKey ? layout.parts(entityKey) : parts(key, writer));
    }

    private KeyParts parts(Object key, ItemWriter writer) {
        KeyForm form = classes.of(key.getClass());
        String formName = nameFor(form);
        if (formOfCache != null && formName.isEmpty()) {
            form = formOfCache;
        }
        if (isMember(form, key.getClass())) {
            return member(key, form, formName, writer);
        }
        if (isOfHibernate(form)) {
            List<?> items = ((CompositeForm) form).split(key);
            return hibernate(items.get(0), (String) items.get(1), (Integer) items.get(2), writer);
        }
        writer.whole(form, key, ItemWriter.ALL);
        return whole(formName, writer.text());
    }

    private KeyParts member(Object key, KeyForm form, String formName, ItemWriter writer) {
        Field root = rootField(key.getClass());
        KeyForm rootForm = classes.only(root.getType());
        if (!(rootForm instanceof ScalarForm scalar)
                || rootForm == ScalarForm.ENTITY_KEY
                || rootForm == classes.others()) {
            throw new IllegalArgumentException(
                    "the component of class %s that has @GroupKey must be declared as a String, a number, a UUID or an enum"
                            .formatted(key.getClass().getName()));
        }
        root.setAccessible(true);
        Object id = CompositeForm.get(root, key);
        if (id == null) {
            throw new IllegalArgumentException(
                    "the component of class %s that has @GroupKey is null, but a member needs a root"
                            .formatted(key.getClass().getName()));
        }
        writer.whole(form, key, form instanceof CompositeForm composite ? composite.groupKey() : ItemWriter.ALL);
        return KeyParts.tagged(space.rootType(), scalar.write(id, ""), formName, writer.text());
    }

    private static Field rootField(Class<?> type) {
        List<Field> fields = KeyForms.groupKeys(type);
        if (fields.size() != 1) {
            throw new IllegalArgumentException("class %s has %d components with @GroupKey, must have one"
                    .formatted(type.getName(), fields.size()));
        }
        return fields.get(0);
    }

    /** Returns the parts of a key of Hibernate: the entity and its id, and the form of the id. */
    private KeyParts hibernate(Object id, String entity, int hash, ItemWriter writer) {
        KeyForm form = classes.of(id.getClass());
        writer.whole(form, id, ItemWriter.ALL);
        classes.use(form);
        boolean isHashOfId = form instanceof ScalarForm && hash == id.hashCode();
        return KeyParts.tagged(
                entity, writer.text(), KeyLayout.HIBERNATE_KEY, form.name() + (isHashOfId ? "" : "," + hash));
    }

    private Object readHibernate(KeyParts parts, KeyClasses readable) {
        String[] idForm = Objects.requireNonNullElse(parts.member(), "").split(",", 2);
        Object id = ItemReader.whole(readable.named(idForm[0]), parts.rootId(), readable, ItemWriter.ALL, null);
        int hash = idForm.length == 1 ? id.hashCode() : Integer.parseInt(idForm[1]);
        return ((CompositeForm) readable.named(KeyLayout.HIBERNATE_KEY))
                .build(Arrays.asList(id, parts.rootType(), hash));
    }

    private boolean isOfHibernate(KeyForm form) {
        return form.name().equals(KeyLayout.HIBERNATE_KEY) && !space.isGrouped();
    }

    private String nameFor(KeyForm form) {
        return formOfCache != null && formOfCache.name().equals(form.name()) ? "" : form.name();
    }

    private KeyParts whole(String formName, String text) {
        return isBare(formName)
                ? KeyParts.bare(space.rootType(), text)
                : KeyParts.tagged(space.rootType(), text, formName, null);
    }

    private boolean isBare(String formName) {
        return formName.isEmpty() && !space.isGrouped();
    }

    private boolean isMember(@Nullable KeyForm form, Class<?> type) {
        if (!space.isGrouped()) {
            return false;
        }
        return form == classes.others()
                ? !KeyForms.groupKeys(type).isEmpty()
                : form instanceof CompositeForm composite
                        && !composite.groupKeys().isEmpty();
    }

    /** Rebuilds and compares the key: its text must contain everything that {@code equals} compares. */
    private void prove(Object key, String text) {
        KeyClasses readable = classes.allowingAll();
        Object fromText = read(text, readable);
        Object[] original = {key};
        Object[] rebuilt = {fromText};
        if (!Arrays.deepEquals(original, rebuilt)
                || !Arrays.deepEquals(rebuilt, original)
                || Arrays.deepHashCode(original) != Arrays.deepHashCode(rebuilt)
                || !write(fromText, new ItemWriter(classes)).equals(text)) {
            throw new IllegalArgumentException(
                    "rebuilt from its text it is not equal to itself. Its equals and hashCode must compare all"
                            + " fields that are not transient, and arrays by content; use a record without arrays,"
                            + " an EntityKey or a String");
        }
    }

    /** Throws {@code CodecException} if the text is not a key of this cache, or names a refused class. */
    public K decode(EncodedKey key) {
        if (hash != null) {
            throw unreadable("it has a hash in place of the id", null);
        }
        try {
            K decoded = declaredType.cast(read(key.text(), classes));
            if (EncodedKey.of(write(decoded, new ItemWriter(classes))).equals(key)) {
                return decoded;
            }
        } catch (IllegalArgumentException | ClassCastException e) {
            throw unreadable(e.getMessage(), e);
        } catch (RuntimeException e) {
            throw unreadable("an " + e.getClass().getName() + " was thrown by its class", e);
        }
        throw unreadable("it is not written as this cache writes its keys", null);
    }

    private CodecException unreadable(@Nullable String reason, @Nullable RuntimeException cause) {
        String message = "Cache of entity type %s: cannot read a stored key: %s".formatted(space.entityType(), reason);
        return new CodecException(message, cause);
    }

    private Object read(String text, KeyClasses readable) {
        KeyParts parts = layout.split(text);
        KeyForm form = form(parts, readable);
        if (form.equals(ScalarForm.ENTITY_KEY)) {
            return layout.entityKey(parts);
        }
        if (isOfHibernate(form)) {
            return readHibernate(parts, readable);
        }
        if (!parts.rootType().equals(space.rootType())) {
            throw new IllegalArgumentException("its root is not of the entity type " + space.rootType());
        }
        String member = parts.member();
        if (member == null) {
            return ItemReader.whole(form, parts.rootId(), readable, ItemWriter.ALL, null);
        }
        if (form == classes.others() && space.isGrouped()) {
            return classes.others().read(member);
        }
        if (!(form instanceof CompositeForm composite) || !isMember(form, declaredType)) {
            throw new IllegalArgumentException("it has an id within its group, which its class has not");
        }
        int root = composite.groupKey();
        KeyForm rootForm = Objects.requireNonNull(readable.only(composite.typeOf(root)), "the form of a root's id");
        Object id = ((ScalarForm) rootForm).read(parts.rootId());
        return ItemReader.whole(form, member, readable, root, id);
    }

    private KeyForm form(KeyParts parts, KeyClasses readable) {
        if (!parts.form().isEmpty()) {
            return readable.named(parts.form());
        }
        boolean looksLikeEntityKey =
                space.isGrouped() ? parts.member() != null && !isMember(formOfCache, declaredType) : !parts.bare();
        if (looksLikeEntityKey) {
            return ScalarForm.ENTITY_KEY;
        }
        if (formOfCache == null) {
            throw new IllegalArgumentException("it does not say its form");
        }
        return formOfCache;
    }

    /** Creates the keys of one class with a scalar form in one cache, which differ only in the id. Immutable. */
    private record ScalarKeys(
            Class<?> type,
            ScalarForm form,
            PrefixedKeys keys,
            @SuppressWarnings("ArrayRecordComponent") byte[] end) {

        EncodedKey encode(Object key) {
            // Numbers need no escaping.
            return key instanceof Long || key instanceof Integer
                    ? keys.key(((Number) key).longValue(), end)
                    : keys.key(form.write(key, ""), end);
        }
    }

    /**
     * The namespace (or empty) and entity type of a cache's keys, and the root keys' entity type if the cache is grouped.
     */
    public record KeySpace(
            String namespace, String entityType, @Nullable String groupedBy) {
        public KeySpace {
            if (entityType.isEmpty()) {
                throw new IllegalArgumentException(
                        "Key space: the entity type is empty, must have at least one character");
            }
            if (groupedBy != null && groupedBy.isEmpty()) {
                throw new IllegalArgumentException("Key space: groupedBy is empty, must be an entity type or null");
            }
        }

        boolean isGrouped() {
            return groupedBy != null;
        }

        /** Returns the entity type of the roots: of the groups, or of the cache's own entries. */
        String rootType() {
            return groupedBy == null ? entityType : groupedBy;
        }

        String prefix(String type) {
            return namespacePrefix() + KeyText.escapeType(type) + ":";
        }

        String namespacePrefix() {
            return namespace.isEmpty() ? "" : KeyText.escapeType(namespace) + "/";
        }
    }
}
