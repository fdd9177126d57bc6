// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of code of a document, in the language that stands behind its fence. */
record Snippet(Path document, int line, String language, String text) {
    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
    private static final Pattern UNIT = Pattern.compile(
            "(?m)\\A(?:package |import |@|(?:public |abstract |final )*(?:class|record|interface|enum) )");

    /** Returns all blocks of a document, in their order. */
    static List<Snippet> of(Path document) throws IOException {
        String text = Files.readString(document);
        Matcher fenced = FENCED.matcher(text);
        List<Snippet> found = new ArrayList<>();
        while (fenced.find()) {
            int line = (int) text.substring(0, fenced.start()).lines().count() + 1;
            found.add(new Snippet(document, line, fenced.group(1), fenced.group(2)));
        }
        return found;
    }

    boolean is(String name) {
        return language.equals(name);
    }

    boolean mentions(String part) {
        return text.contains(part);
    }

    /** Returns whether this is what a file has, or at least whole types; else it is statements. */
    boolean isUnit() {
        return UNIT.matcher(text).find();
    }

    @Override
    public String toString() {
        return document.getFileName() + ":" + line;
    }
}
