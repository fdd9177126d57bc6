// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;

/** Joins the parts of a stored key, and splits it into parts. */
final class KeyLayout {
    /** The form of Hibernate's keys, whose root is the entity and its id. */
    static final String HIBERNATE_KEY = "HibernateKey";

    private final KeySpace space;
    private final String prefix;
    private final String namespacePrefix;
    private final String rootPrefix;
    private final PrefixedKeys bareKeys;
    private final PrefixedKeys rootKeys;

    KeyLayout(KeySpace space) {
        this.space = space;
        this.prefix = space.prefix(space.entityType());
        this.namespacePrefix = space.namespacePrefix();
        this.rootPrefix = space.prefix(space.rootType());
        this.bareKeys = new PrefixedKeys(prefix);
        this.rootKeys = new PrefixedKeys(prefix + "{" + rootPrefix);
    }

    String prefix() {
        return prefix;
    }

    String join(KeyParts parts) {
        if (parts.bare()) {
            return prefix + parts.rootId();
        }
        String tagged = prefix + "{" + rootPrefix(parts.rootType()) + parts.rootId() + behindRoot(parts.form());
        return parts.member() == null ? tagged : tagged + ":" + parts.member();
    }

    PrefixedKeys bare() {
        return bareKeys;
    }

    PrefixedKeys tagged() {
        return rootKeys;
    }

    /** Returns the text after the id of a tagged root without a member. */
    static String behindRoot(String form) {
        return "}" + form;
    }

    private String rootPrefix(String type) {
        return type.equals(space.rootType()) ? rootPrefix : space.prefix(type);
    }

    KeyParts split(String text) {
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("it does not start with the cache's prefix " + prefix);
        }
        String rest = text.substring(prefix.length());
        if (!rest.startsWith("{")) {
            return KeyParts.bare(space.entityType(), rest);
        }
        int close = rest.indexOf('}');
        int colon = rest.indexOf(':');
        if (close < 0 || colon < 0 || colon > close || !rest.startsWith(namespacePrefix, 1)) {
            throw new IllegalArgumentException("its braces do not hold an entity key of the cache's namespace");
        }
        String rootType = KeyText.unescape(rest.substring(1 + namespacePrefix.length(), colon));
        String rootId = rest.substring(colon + 1, close);
        return tagged(rootType, rootId, rest.substring(close + 1));
    }

    private static KeyParts tagged(String rootType, String rootId, String behindTag) {
        int colon = behindTag.indexOf(':');
        String form = colon < 0 ? behindTag : behindTag.substring(0, colon);
        String member = colon < 0 ? null : behindTag.substring(colon + 1);
        return KeyParts.tagged(rootType, rootId, form, member);
    }
}
