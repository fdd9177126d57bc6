// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One object of every JDK type that has an encoded form and an {@code equals} for its content. */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // Obsolete classes are values, too.
public final class Samples {
    private static final LocalDateTime LOCAL = LocalDateTime.of(2026, 2, 28, 23, 59, 58, 123_456_789);

    private Samples() {}

    public static Stream<Object> all() {
        return Stream.of(numbers(), texts(), times(), arrays(), collections(), wrappers(), maps())
                .flatMap(samples -> samples);
    }

    private static Stream<Object> numbers() {
        return Stream.of(
                true,
                (byte) -1,
                'ß',
                Short.MIN_VALUE,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Float.MIN_VALUE,
                Double.NaN,
                new BigInteger("-123456789012345678901234567890"),
                new BigDecimal("1.20"),
                new BigDecimal("1E+5"),
                OptionalInt.of(7),
                OptionalInt.empty(),
                OptionalLong.of(-7),
                OptionalDouble.of(0.5));
    }

    private static Stream<Object> texts() {
        return Stream.of(
                "",
                "Grüße 👋",
                "unpaired \uD800 surrogate",
                new UUID(1, -2),
                URI.create("https://example.org/a?b#c"),
                Currency.getInstance("EUR"),
                Locale.ROOT,
                Locale.forLanguageTag("zh-Hant-TW"),
                DayOfWeek.MONDAY,
                TimeUnit.DAYS,
                Optional.of("x"),
                Optional.empty());
    }

    private static Stream<Object> times() {
        ZoneId paris = ZoneId.of("Europe/Paris");
        Timestamp timestamp = new Timestamp(-1);
        timestamp.setNanos(123_456_789);
        return Stream.of(
                LOCAL.toLocalDate(),
                LocalDate.MIN,
                LOCAL.toLocalTime(),
                LocalTime.MIDNIGHT,
                LOCAL,
                Instant.MIN,
                Instant.ofEpochSecond(1, 1),
                Duration.ofNanos(-1),
                Period.of(1, -2, 3),
                ZonedDateTime.of(LOCAL, paris),
                OffsetDateTime.of(LOCAL, ZoneOffset.ofHours(-3)),
                OffsetTime.of(LOCAL.toLocalTime(), ZoneOffset.UTC),
                ZoneOffset.ofTotalSeconds(-1),
                paris,
                Year.of(2026),
                YearMonth.of(2026, 12),
                MonthDay.of(2, 29),
                new Date(123),
                new java.sql.Date(123),
                new Time(123),
                timestamp);
    }

    /** Objects that only Java serialization stores. */
    static Stream<Object> ofJavaSerialization() {
        return Stream.of(
                TimeZone.getTimeZone("America/New_York"),
                GregorianCalendar.from(ZonedDateTime.of(LOCAL, ZoneId.of("Europe/Paris"))));
    }

    private static Stream<Object> arrays() {
        return Stream.of(
                new boolean[] {true, false},
                new byte[] {1, 2},
                new char[] {'a', '\uFFFF'},
                new short[] {-1},
                new int[] {1, -2},
                new long[] {Long.MIN_VALUE},
                new float[] {1.5f},
                new double[] {-0.0},
                new String[] {"a", null},
                new Object[] {1, "a", null, new int[] {3}},
                new int[][] {{1}, {}, null},
                new LocalDate[][] {{LocalDate.EPOCH}},
                BitSet.valueOf(new long[] {5, 6}));
    }

    private static Stream<Object> collections() {
        List<Object> some = Arrays.asList("b", "a", null, 1L);
        List<String> texts = List.of("b", "a", "c");
        Set<String> backwards = new TreeSet<>(Comparator.reverseOrder());
        backwards.addAll(texts);
        Set<String> anyCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.addAll(texts);
        Collection<Object> stack = new Stack<>();
        stack.addAll(texts);
        return Stream.of(
                new ArrayList<>(some),
                new LinkedList<>(some),
                new Vector<>(some),
                stack,
                new CopyOnWriteArrayList<>(some),
                new CopyOnWriteArraySet<>(some),
                new HashSet<>(some),
                new LinkedHashSet<>(some),
                new TreeSet<>(texts),
                backwards,
                anyCase,
                new ConcurrentSkipListSet<>(texts),
                new HashSet<>(ConcurrentHashMap.newKeySet()),
                EnumSet.noneOf(DayOfWeek.class),
                EnumSet.allOf(DayOfWeek.class),
                EnumSet.of(TimeUnit.DAYS));
    }

    private static Stream<Object> wrappers() {
        List<String> texts = new ArrayList<>(List.of("b", "a"));
        List<Integer> numbers = List.of(1, 2, 3, 4);
        return Stream.of(
                List.of(),
                List.of(1),
                numbers,
                numbers.subList(1, 3),
                Stream.of("a", null).toList(),
                Set.of(),
                Set.of(1),
                Set.of("a", "b", "c", "d"),
                Arrays.asList("a", null),
                Collections.nCopies(3, "x"),
                Collections.emptyList(),
                Collections.emptySet(),
                Collections.emptyMap(),
                Collections.singletonList(null),
                Collections.singleton("a"),
                Collections.singletonMap("a", null),
                Collections.unmodifiableList(texts),
                Collections.unmodifiableList(new LinkedList<>(texts)),
                Collections.unmodifiableSet(new LinkedHashSet<>(texts)),
                Collections.unmodifiableSortedSet(new TreeSet<>(texts)),
                Collections.unmodifiableNavigableSet(new TreeSet<>(texts)),
                Collections.synchronizedList(texts),
                Collections.synchronizedSet(new HashSet<>(texts)),
                Collections.synchronizedSortedSet(new TreeSet<>(texts)),
                Collections.synchronizedNavigableSet(new TreeSet<>(texts)));
    }

    /** Views and other containers of hidden classes, of which Java serialization cannot store each. */
    static Stream<Object> views() {
        List<String> texts = List.of("b", "a");
        List<Integer> numbers = List.of(1, 2, 3, 4);
        Set<String> backed = Collections.newSetFromMap(new ConcurrentHashMap<>());
        backed.add("a");
        return Stream.of(
                new ArrayList<>(numbers).subList(1, 3),
                new TreeMap<>(Map.of("a", 1, "b", 2)).keySet(),
                new TreeMap<>(Map.of("a", 1, "b", 2)).descendingMap(),
                new TreeSet<>(texts).headSet("b"),
                new HashMap<>(Map.of("a", 1)).keySet(),
                new HashMap<>(Map.of("a", 1)).entrySet(),
                backed,
                numbers.stream().collect(Collectors.partitioningBy(number -> number > 1)),
                numbers.stream().collect(Collectors.groupingBy(number -> number % 2)),
                Collections.checkedList(new ArrayList<>(texts), String.class));
    }

    private static Stream<Object> maps() {
        Map<String, Integer> some = Map.of("a", 1, "b", 2, "c", 3);
        Properties properties = new Properties();
        properties.setProperty("a", "1");
        return Stream.of(
                Map.of(),
                Map.of("a", 1),
                some,
                Map.entry("a", 1),
                new SimpleEntry<>("a", null),
                new SimpleImmutableEntry<>(null, "a"),
                new HashMap<>(some),
                new LinkedHashMap<>(some),
                new Hashtable<>(some),
                new ConcurrentHashMap<>(some),
                new TreeMap<>(some),
                new ConcurrentSkipListMap<>(some),
                properties,
                new EnumMap<>(Map.of(DayOfWeek.SUNDAY, "s")),
                new EnumMap<DayOfWeek, String>(DayOfWeek.class),
                Collections.unmodifiableMap(new HashMap<>(some)),
                Collections.unmodifiableSortedMap(new TreeMap<>(some)),
                Collections.unmodifiableNavigableMap(new TreeMap<>(some)),
                Collections.synchronizedMap(new HashMap<>(some)),
                Collections.synchronizedSortedMap(new TreeMap<>(some)),
                Collections.synchronizedNavigableMap(new TreeMap<>(some)));
    }

    /** Collections without an {@code equals} for their content. */
    static Stream<Collection<Object>> queues() {
        List<Object> texts = List.of("b", "a", "c");
        return Stream.of(
                new ArrayDeque<>(texts),
                new java.util.PriorityQueue<>(texts),
                new java.util.concurrent.ConcurrentLinkedQueue<>(texts),
                new java.util.concurrent.ConcurrentLinkedDeque<>(texts),
                Collections.unmodifiableCollection(texts),
                Collections.synchronizedCollection(texts),
                new LinkedHashMap<Object, Object>(Map.of("x", "a")).values(),
                Collections.asLifoQueue(new ArrayDeque<>(texts)));
    }
}
