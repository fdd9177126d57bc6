// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A class name such as {@code com.acme.Order}, or all classes of a package, {@code com.acme.*}, or with those of its
 * subpackages, {@code com.acme.**}. Nested classes belong to the package of the outer one.
 */
record ClassPattern(String text) {
    private static final String IDENTIFIER = "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*+";
    private static final Pattern SYNTAX = Pattern.compile(IDENTIFIER + "(\\." + IDENTIFIER + ")*+(\\.\\*{1,2})?");

    /** The beginnings of package names that thousands of libraries share. */
    private static final Set<String> SHARED = Set.of("com", "org", "net", "io", "de", "uk", "eu", "dev", "me");

    static Optional<String> problemOf(String text) {
        if (!SYNTAX.matcher(text).matches()) {
            return Optional.of("'%s' is not a pattern: use com.acme.Order, com.acme.* or com.acme.**".formatted(text));
        }
        ClassPattern pattern = new ClassPattern(text);
        if (pattern.isWildcard() && SHARED.contains(pattern.packageName())) {
            return Optional.of("'%s' is too broad: name the package of your application".formatted(text));
        }
        if (pattern.isWildcard() && KnownClasses.isJdk(pattern.packageName() + '.')) {
            return Optional.of("'%s' is in the JDK: name its classes one by one".formatted(text));
        }
        return Optional.empty();
    }

    boolean isWildcard() {
        return text.endsWith("*");
    }

    boolean matches(String className) {
        if (!isWildcard()) {
            return className.equals(text);
        }
        String prefix = packageName() + '.';
        return className.startsWith(prefix) && (text.endsWith("**") || className.indexOf('.', prefix.length()) < 0);
    }

    private String packageName() {
        return text.substring(0, text.indexOf(".*"));
    }
}
