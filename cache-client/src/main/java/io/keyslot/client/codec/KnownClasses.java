// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of classes that are always safe to read, and of packages that are dangerous. */
final class KnownClasses {
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "netscape.");

    /**
     * The classes in the serialized form of the JDK's value types, which Kryo mostly writes by number instead, and
     * interfaces that are common element types of arrays.
     */
    private static final Set<String> SAFE_JDK = Stream.of(
                    in("java.io", "Serializable"),
                    in("java.lang", "Boolean Byte Character Short Integer Long Float Double Number String Enum Object"),
                    in("java.lang", "CharSequence Comparable Iterable Runnable"),
                    in("java.math", "BigInteger BigDecimal RoundingMode"),
                    in("java.net", "URI"),
                    in("java.sql", "Date Time Timestamp"),
                    in(
                            "java.time",
                            "Ser DayOfWeek Month Duration Instant LocalDate LocalDateTime LocalTime MonthDay"
                                    + " OffsetDateTime OffsetTime Period Year YearMonth ZoneId ZoneOffset ZoneRegion"
                                    + " ZonedDateTime"),
                    in("java.time.temporal", "ChronoField ChronoUnit"),
                    in(
                            "java.util",
                            "ArrayDeque ArrayList BitSet Calendar CollSer Currency Date EnumMap GregorianCalendar HashMap"
                                    + " HashSet Hashtable ImmutableCollections LinkedHashMap LinkedHashSet LinkedList"
                                    + " Locale PriorityQueue Properties SimpleTimeZone Stack TimeZone TreeMap TreeSet UUID"
                                    + " Vector"),
                    in(
                            "java.util",
                            "Collection Comparator Deque Iterator List Map Map$Entry NavigableMap NavigableSet"),
                    in("java.util", "Queue Set SortedMap SortedSet"),
                    in("java.util.AbstractMap$", "SimpleEntry SimpleImmutableEntry"),
                    in("java.util.Arrays$", "ArrayList"),
                    in(
                            "java.util.Collections$",
                            "CopiesList EmptyList EmptyMap EmptySet ReverseComparator SingletonList SingletonMap"
                                    + " SingletonSet SynchronizedCollection SynchronizedList SynchronizedMap"
                                    + " SynchronizedNavigableMap SynchronizedNavigableSet SynchronizedRandomAccessList"
                                    + " SynchronizedSet SynchronizedSortedMap SynchronizedSortedSet UnmodifiableCollection"
                                    + " UnmodifiableList UnmodifiableMap UnmodifiableNavigableMap UnmodifiableNavigableSet"
                                    + " UnmodifiableRandomAccessList UnmodifiableSet UnmodifiableSortedMap"
                                    + " UnmodifiableSortedSet"),
                    in("java.util.Comparators$", "NaturalOrderComparator"),
                    in("java.util.EnumSet$", "SerializationProxy"),
                    in("java.lang.String$", "CaseInsensitiveComparator"),
                    in(
                            "java.util.concurrent",
                            "ConcurrentHashMap ConcurrentLinkedDeque ConcurrentLinkedQueue ConcurrentSkipListMap"
                                    + " ConcurrentSkipListSet CopyOnWriteArrayList CopyOnWriteArraySet TimeUnit"),
                    in("java.util.concurrent.ConcurrentHashMap$", "CollectionView KeySetView Segment"),
                    in("java.util.concurrent.atomic", "AtomicBoolean AtomicInteger AtomicLong AtomicReference"),
                    // The serialized form of ConcurrentHashMap contains the locks of JDK 7.
                    in("java.util.concurrent.locks", "AbstractOwnableSynchronizer AbstractQueuedSynchronizer"),
                    in("java.util.concurrent.locks", "ReentrantLock ReentrantLock$NonfairSync ReentrantLock$Sync"),
                    in("sun.util.calendar", "ZoneInfo"))
            .flatMap(names -> names)
            .collect(Collectors.toUnmodifiableSet());

    /** The cached classes of well-known users of JCache. Bucket4j stores plain bytes. */
    private static final List<ClassPattern> SAFE_LIBRARIES = Stream.of(
                    "org.springframework.cache.interceptor.SimpleKey",
                    "org.springframework.cache.support.NullValue",
                    "org.hibernate.cache.spi.**",
                    "org.hibernate.cache.internal.**",
                    // The parameters in the key of a query.
                    "org.hibernate.query.internal.QueryParameterBindingsImpl$ParameterBindingsMementoImpl",
                    "org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer$1",
                    "org.apache.camel.support.DefaultExchangeHolder",
                    "org.apache.shiro.session.mgt.SimpleSession",
                    "org.apache.shiro.subject.SimplePrincipalCollection",
                    "org.apache.shiro.authz.SimpleAuthorizationInfo",
                    "org.apache.shiro.authz.permission.WildcardPermission")
            .map(ClassPattern::new)
            .toList();

    /** Packages with known or possible deserialization gadgets. */
    private static final List<String> DANGEROUS = List.of(
            "bsh.",
            "ch.qos.logback.",
            "clojure.",
            "com.mchange.",
            "com.rometools.",
            "com.vaadin.",
            "com.zaxxer.hikari.",
            "freemarker.",
            "groovy.",
            "javassist.",
            "net.sf.cglib.",
            "net.sf.json.",
            "org.aopalliance.",
            "org.apache.bcel.",
            "org.apache.catalina.",
            "org.apache.click.",
            "org.apache.commons.beanutils.",
            "org.apache.commons.collections.",
            "org.apache.commons.collections4.",
            "org.apache.commons.configuration.",
            "org.apache.commons.dbcp",
            "org.apache.commons.fileupload.",
            "org.apache.commons.jelly.",
            "org.apache.myfaces.",
            "org.apache.tomcat.dbcp.",
            "org.apache.velocity.",
            "org.apache.wicket.",
            "org.apache.xalan.",
            "org.codehaus.groovy.",
            "org.hibernate.",
            "org.jboss.",
            "org.mozilla.",
            "org.python.",
            "org.reflections.",
            "org.springframework.",
            "org.yaml.snakeyaml.",
            "scala.runtime.",
            "ysoserial.");

    private KnownClasses() {}

    static boolean isSafe(String className) {
        return SAFE_JDK.contains(className) || SAFE_LIBRARIES.stream().anyMatch(pattern -> pattern.matches(className));
    }

    /** Returns whether a wildcard does not allow the class. */
    static boolean needsFullName(String className) {
        return isJdk(className) || DANGEROUS.stream().anyMatch(className::startsWith);
    }

    public static boolean isJdk(String className) {
        return JDK.stream().anyMatch(className::startsWith);
    }

    private static Stream<String> in(String packageOrOuter, String simpleNames) {
        String prefix = packageOrOuter.endsWith("$") ? packageOrOuter : packageOrOuter + '.';
        return Stream.of(simpleNames.split(" ")).map(prefix::concat);
    }
}
