// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.keyslot.cache.EntityKey;
import io.keyslot.client.key.KeyForms.KeyForm;
import io.keyslot.slot.KeyText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.sql.Timestamp;
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
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of a key that is a single text; {@code toText} returns equal texts for equal values, and only for them.
 *
 * <p>The text of classes of the JDK is that of {@code toString} if a {@code parse} understands it and all versions of
 * the JDK agree on it. Another text of the same value, such as {@code 007}, may be parsed here; the codec refuses it,
 * because it compares the text with the one that it would write.
 */
record ScalarForm(String name, Function<Object, String> toText, Function<String, Object> fromText) implements KeyForm {
    static final ScalarForm STRING = of(String.class, text -> text, text -> text);
    static final ScalarForm ENTITY_KEY = of(EntityKey.class, EntityKey::text, EntityKey::parse);

    /** Named time zones are instances of a class that is not public, so this form is not found by class. */
    static final ScalarForm ZONE_ID = of(ZoneId.class, ZoneId::getId, ZoneId::of);

    /** A placeholder: each cache has its own form, which loads the class. */
    static final ScalarForm CLASS = refused("Class", "a class in it is of no cache");

    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    private static final Map<Class<?>, ScalarForm> BY_CLASS = byClass();
    private static final Map<String, ScalarForm> BY_NAME =
            BY_CLASS.values().stream().collect(toUnmodifiableMap(ScalarForm::name, form -> form));

    static <T> ScalarForm of(Class<T> type, Function<T, String> toText, Function<String, T> fromText) {
        return new ScalarForm(
                type.getSimpleName(), value -> toText.apply(type.cast(value)), text -> fromText.apply(text));
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum of the application cannot be expressed.
    static ScalarForm ofEnum(Class<?> type) {
        Class<? extends Enum> constants = type.asSubclass(Enum.class);
        return new ScalarForm(
                KeyForms.className(type), value -> ((Enum<?>) value).name(), text -> Enum.valueOf(constants, text));
    }

    /** Returns a form that throws when it is used: a declared class may never be used. */
    static ScalarForm refused(String name, String reason) {
        return new ScalarForm(
                name,
                value -> {
                    throw new IllegalArgumentException(reason);
                },
                text -> {
                    throw new IllegalArgumentException(reason);
                });
    }

    String write(Object value, String alsoReserved) {
        return KeyText.escapeId(toText.apply(value), alsoReserved);
    }

    Object read(String escaped) {
        String text = KeyText.unescape(escaped);
        try {
            return fromText.apply(text);
        } catch (RuntimeException withTextInIt) {
            // Not kept as the cause: its message may contain the key.
            throw new IllegalArgumentException("a part of it is not the text of a " + name);
        }
    }

    static @Nullable ScalarForm ofJdk(Class<?> type) {
        return BY_CLASS.get(type);
    }

    static @Nullable ScalarForm named(String name) {
        return BY_NAME.get(name);
    }

    private static Map<Class<?>, ScalarForm> byClass() {
        Map<Class<?>, ScalarForm> forms = new HashMap<>();
        forms.put(String.class, STRING);
        forms.put(EntityKey.class, ENTITY_KEY);
        forms.put(ZoneId.class, ZONE_ID);
        forms.put(Class.class, CLASS);
        forms.put(
                byte[].class,
                new ScalarForm(
                        "byte[]",
                        bytes -> HexFormat.of().formatHex((byte[]) bytes),
                        text -> HexFormat.of().parseHex(text)));

        add(forms, Long.class, Long::valueOf);
        add(forms, Integer.class, Integer::valueOf);
        add(forms, Short.class, Short::valueOf);
        add(forms, Byte.class, Byte::valueOf);
        add(forms, BigInteger.class, BigInteger::new);
        add(forms, BigDecimal.class, BigDecimal::new);
        add(forms, Double.class, FloatingPoint::text, Double::valueOf);
        add(forms, Float.class, FloatingPoint::text, Float::valueOf);

        add(forms, Instant.class, Instant::parse);
        add(forms, LocalDate.class, LocalDate::parse);
        add(forms, LocalTime.class, LocalTime::parse);
        add(forms, LocalDateTime.class, LocalDateTime::parse);
        add(forms, OffsetDateTime.class, OffsetDateTime::parse);
        add(forms, OffsetTime.class, OffsetTime::parse);
        add(forms, ZonedDateTime.class, ZonedDateTime::parse);
        add(forms, Duration.class, Duration::parse);
        add(forms, Period.class, Period::parse);
        add(forms, MonthDay.class, MonthDay::parse);
        add(forms, Year.class, text -> Year.of(Integer.parseInt(text)));
        // Years of more than four digits are parsed only with a sign.
        add(forms, YearMonth.class, month -> month.getYear() > 9999 ? "+" + month : month.toString(), YearMonth::parse);
        add(forms, ZoneOffset.class, ZoneOffset::of);
        add(forms, Date.class, date -> date.toInstant().toString(), text -> Date.from(Instant.parse(text)));
        // A runtime image may lack the module java.sql.
        if (ModuleLayer.boot().findModule("java.sql").isPresent()) {
            add(
                    forms,
                    Timestamp.class,
                    time -> time.toInstant().toString(),
                    text -> Timestamp.from(Instant.parse(text)));
            forms.put(java.sql.Date.class, ofSql("SqlDate", java.sql.Date::new));
            forms.put(java.sql.Time.class, ofSql("SqlTime", java.sql.Time::new));
        }

        add(forms, Boolean.class, Boolean::valueOf);
        add(forms, Character.class, ScalarForm::character);
        add(forms, UUID.class, UUID::fromString);
        add(forms, URI.class, ScalarForm::uri, URI::create);
        add(forms, Currency.class, Currency::getInstance);
        add(forms, Locale.class, ScalarForm::languageTag, Locale::forLanguageTag);
        return Map.copyOf(forms);
    }

    @SuppressWarnings("JavaUtilDate") // Keys of SQL have these types.
    private static ScalarForm ofSql(String name, LongFunction<Date> fromMillis) {
        return new ScalarForm(
                name,
                date -> Instant.ofEpochMilli(((Date) date).getTime()).toString(),
                text -> fromMillis.apply(Instant.parse(text).toEpochMilli()));
    }

    /** Normalizes the case of scheme, host and escapes, which {@code URI.equals} ignores. */
    private static String uri(URI uri) {
        String text = ESCAPE.matcher(uri.toString())
                .replaceAll(escape -> escape.group().toUpperCase(Locale.ROOT));
        if (uri.getHost() != null) {
            String userInfo = uri.getRawUserInfo();
            int host = text.indexOf("//") + 2 + (userInfo == null ? 0 : userInfo.length() + 1);
            int end = host + uri.getHost().length();
            text = text.substring(0, host) + text.substring(host, end).toLowerCase(Locale.ROOT) + text.substring(end);
        }
        int scheme = uri.getScheme() == null ? 0 : uri.getScheme().length();
        return text.substring(0, scheme).toLowerCase(Locale.ROOT) + text.substring(scheme);
    }

    private static <T> void add(Map<Class<?>, ScalarForm> forms, Class<T> type, Function<String, T> fromText) {
        add(forms, type, Object::toString, fromText);
    }

    private static <T> void add(
            Map<Class<?>, ScalarForm> forms, Class<T> type, Function<T, String> toText, Function<String, T> fromText) {
        forms.put(type, of(type, toText, fromText));
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return text.charAt(0);
    }

    private static String languageTag(Locale locale) {
        String tag = locale.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(locale)) {
            throw new IllegalArgumentException("a Locale in it has no language tag of its own; use a String");
        }
        return tag;
    }
}
