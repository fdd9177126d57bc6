// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The key codec of one cache: key ↔ {@link KeyParts} ↔ text.
 *
 * <ul>
 *   <li>An entity key names its parts itself: {@link EntityKeyParts}.
 *   <li>A key with a {@code @GroupKey}, in a grouped cache, is a member: its root is in the tag, the rest behind it.
 *   <li>The text of any other key is the root's id; its {@link KeyForm} is named behind the tag, unless it is the cache's.
 * </ul>
 *
 * <p>Only the text that {@link #encode} writes is decoded, so that no entry is seen twice or under two keys.
 */
final class TextKeyCodec<K> implements KeyCodec<K> {
    private static final byte[] NOTHING = {};

    private final KeySpace space;
    private final Class<K> declaredType;
    private final KeyClasses classes;
    private final KeyLayout layout;
    private final @Nullable KeyForm formOfCache;
    private final EntityKeyParts entityKeys;

    /** Seen by other threads sooner or later: what it replaces is as right. */
    private @Nullable ScalarKeys lastScalar;

    TextKeyCodec(KeySpace space, Class<K> declaredType, KeyClasses classes) {
        this.space = space;
        this.declaredType = declaredType;
        this.classes = classes;
        this.layout = new KeyLayout(space);
        this.formOfCache = KeyForms.ofCache(declaredType);
        this.entityKeys = new EntityKeyParts(space, ScalarForms.ENTITY_KEY.equals(formOfCache));
    }

    @Override
    public String prefix() {
        return layout.prefix();
    }

    @Override
    public EncodedKey encode(K key) {
        if (!declaredType.isInstance(key) && !SimpleKeyForm.isOf(key)) { // who calls JCache was refused before
            throw new ClassCastException("Cache of entity type %s: a key is of class %s, must be of class %s"
                    .formatted(space.entityType(), key.getClass().getName(), declaredType.getName()));
        }
        try {
            KeyForm form = KeyForms.of(key.getClass());
            if (form instanceof ScalarForm scalar && !(key instanceof EntityKey)) {
                return scalarKeys(scalar).encode(key);
            }
            ItemWriter writer = new ItemWriter();
            String text = write(key, writer);
            prove(key, text, writer);
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

    /** Most caches have keys of one form: that of the last key is mostly that of the next. */
    private ScalarKeys scalarKeys(ScalarForm form) {
        ScalarKeys last = lastScalar;
        if (last != null && last.areOf(form)) {
            return last;
        }
        classes.use(form);
        String formName = nameFor(form);
        ScalarKeys keys = isBare(formName)
                ? new ScalarKeys(form, layout.bare(), NOTHING)
                : new ScalarKeys(
                        form, layout.tagged(), KeyLayout.behindRoot(formName).getBytes(StandardCharsets.UTF_8));
        lastScalar = keys;
        return keys;
    }

    private String write(Object key, ItemWriter writer) {
        return layout.join(key instanceof EntityKey entityKey ? entityKeys.parts(entityKey) : parts(key, writer));
    }

    private KeyParts parts(Object key, ItemWriter writer) {
        KeyForm form = KeyForms.of(key.getClass());
        String formName = nameFor(form);
        if (formOfCache != null && formName.isEmpty()) {
            form = formOfCache;
        }
        if (isMember(form)) {
            ObjectForm members = (ObjectForm) form;
            members.writeMember(key, writer);
            return KeyParts.tagged(space.rootType(), members.writeRootId(key), formName, writer.text());
        }
        writer.whole(form, key);
        return whole(formName, writer.text());
    }

    /** Returns the name by which a form is stored, which is empty for that of the cache. */
    private String nameFor(KeyForm form) {
        return formOfCache != null && formOfCache.name().equals(form.name()) ? "" : form.name();
    }

    /** Returns the parts of a key that is no member of a group, but its root. */
    private KeyParts whole(String formName, String text) {
        return isBare(formName)
                ? KeyParts.bare(space.rootType(), text)
                : KeyParts.tagged(space.rootType(), text, formName, null);
    }

    private boolean isBare(String formName) {
        return formName.isEmpty() && !space.isGrouped();
    }

    private boolean isMember(@Nullable KeyForm form) {
        return space.isGrouped() && form instanceof ObjectForm object && object.hasGroupKey();
    }

    /** Rebuilds the key if a form asks for that, and compares. */
    private void prove(Object key, String text, ItemWriter writer) {
        if (writer.unproven().isEmpty()) {
            return;
        }
        KeyProof.requireEqual(key, read(text, classes.allowingAll()));
        writer.unproven().forEach(CompositeForm::proven);
    }

    @Override
    public K decode(EncodedKey key) {
        try {
            K decoded = declaredType.cast(read(key.text(), classes));
            if (EncodedKey.of(write(decoded, new ItemWriter())).equals(key)) {
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
        if (form.equals(ScalarForms.ENTITY_KEY)) {
            return entityKeys.key(parts);
        }
        if (!parts.rootType().equals(space.rootType())) {
            throw new IllegalArgumentException("its root is not of the entity type " + space.rootType());
        }
        String member = parts.member();
        if (member == null) {
            return ItemReader.whole(form, parts.rootId(), readable);
        }
        if (!isMember(form)) {
            throw new IllegalArgumentException("it has an id within its group, which its class has not");
        }
        ItemReader reader = new ItemReader(member, readable);
        Object key = ((ObjectForm) form).readMember(parts.rootId(), reader);
        reader.end();
        return key;
    }

    private KeyForm form(KeyParts parts, KeyClasses readable) {
        if (!parts.form().isEmpty()) {
            return KeyForms.named(parts.form(), readable);
        }
        boolean looksLikeEntityKey =
                space.isGrouped() ? parts.member() != null && !isMember(formOfCache) : !parts.bare();
        if (looksLikeEntityKey) {
            return ScalarForms.ENTITY_KEY;
        }
        if (formOfCache == null) {
            throw new IllegalArgumentException("it does not say its form");
        }
        return formOfCache;
    }
}
