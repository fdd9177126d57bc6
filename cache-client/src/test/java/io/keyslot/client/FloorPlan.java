// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The packages of some source folders: how large they are, which depend on which, and what breaks the rules for them. */
final class FloorPlan {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(io\\.keyslot(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    private final List<Source> sources;

    private FloorPlan(List<Source> sources) {
        this.sources = List.copyOf(sources);
    }

    /**
     * A class at the top of a file.
     *
     * @param imports the packages of ours that it imports from, besides its own
     */
    private record Source(String packageName, String name, int lines, Set<String> imports) {
        static Source read(Path file) {
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Matcher named = PACKAGE.matcher(text);
            if (!named.find()) {
                throw new IllegalArgumentException(file + " is in no package");
            }
            String packageName = named.group(1);
            Set<String> imports = new TreeSet<>();
            IMPORT.matcher(text).results().forEach(found -> imports.add(found.group(1)));
            imports.remove(packageName);
            String name = file.getFileName().toString().replace(".java", "");
            return new Source(packageName, name, (int) text.lines().count(), imports);
        }
    }

    static FloorPlan of(Path... folders) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("package-info.java") && !file.endsWith("module-info.java"))
                        .forEach(file -> sources.add(Source.read(file)));
            }
        }
        return new FloorPlan(sources);
    }

    Set<String> packages() {
        Set<String> names = new TreeSet<>();
        sources.forEach(source -> names.add(source.packageName()));
        return names;
    }

    /** Returns which packages have too many files, or too many lines. */
    List<String> tooLarge(int mostFiles, int mostLines) {
        Map<String, int[]> sizes = new TreeMap<>();
        for (Source source : sources) {
            int[] size = sizes.computeIfAbsent(source.packageName(), first -> new int[2]);
            size[0]++;
            size[1] += source.lines();
        }
        List<String> offenders = new ArrayList<>();
        sizes.forEach((name, size) -> {
            if (size[0] > mostFiles || size[1] > mostLines) {
                offenders.add("%s has %d files, %d lines".formatted(name, size[0], size[1]));
            }
        });
        return offenders;
    }

    /** Returns which simple names stand for two classes. */
    List<String> namedTwice() {
        Map<String, Set<String>> packages = new TreeMap<>();
        sources.forEach(source -> packages.computeIfAbsent(source.name(), first -> new TreeSet<>())
                .add(source.packageName()));
        List<String> offenders = new ArrayList<>();
        packages.forEach((name, all) -> {
            if (all.size() > 1) {
                offenders.add(name + " is in " + all);
            }
        });
        return offenders;
    }

    /** Returns which classes know too many packages of these, beside those that put others together. */
    List<String> knowingTooMany(int mostPackages, String within) {
        List<String> offenders = new ArrayList<>();
        for (Source source : sources) {
            long known = source.imports().stream()
                    .filter(name -> name.startsWith(within))
                    .count();
            if (known > mostPackages && !source.name().endsWith("Assembly")) {
                offenders.add("%s.%s imports from %d packages".formatted(source.packageName(), source.name(), known));
            }
        }
        return offenders;
    }

    /** Returns which packages depend on one that does not stand below them in this order. */
    List<String> upwards(List<String> fromTopToBottom) {
        List<String> offenders = new ArrayList<>();
        for (Source source : sources) {
            int floor = fromTopToBottom.indexOf(source.packageName());
            for (String used : source.imports()) {
                int other = fromTopToBottom.indexOf(used);
                if (other >= 0 && other < floor) {
                    offenders.add("%s.%s depends on %s, which stands above it"
                            .formatted(source.packageName(), source.name(), used));
                }
            }
        }
        return offenders;
    }

    /** Returns how many packages a dependency passes at most; there must be no cycle. */
    int floors(String within) {
        Map<String, Set<String>> uses = new HashMap<>();
        for (Source source : sources) {
            uses.computeIfAbsent(source.packageName(), first -> new TreeSet<>()).addAll(source.imports());
        }
        Map<String, Integer> known = new HashMap<>();
        return uses.keySet().stream()
                .filter(name -> name.startsWith(within))
                .mapToInt(name -> floor(name, within, uses, known))
                .max()
                .orElse(0);
    }

    private static int floor(String name, String within, Map<String, Set<String>> uses, Map<String, Integer> known) {
        Integer before = known.get(name);
        if (before != null) {
            return before;
        }
        int highest = 0;
        for (String used : uses.getOrDefault(name, Set.of())) {
            if (used.startsWith(within)) {
                highest = Math.max(highest, floor(used, within, uses, known));
            }
        }
        known.put(name, highest + 1);
        return highest + 1;
    }
}
