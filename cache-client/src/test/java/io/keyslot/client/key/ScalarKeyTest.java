// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.assertStored;
import static io.keyslot.client.key.KeyCodecFixture.codec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.key.KeyCodecFixture.Color;
import java.io.Serializable;
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
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // Applications have keys of this class.
class ScalarKeyTest {
    private static final UUID ID = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
    private static final LocalDateTime TIME = LocalDateTime.of(2024, 2, 29, 12, 30);

    private final KeyCodec<Object> untyped = codec("customer", Object.class);

    @Nested
    class OfDeclaredType {
        @Test
        void text_isBare() {
            assertStored(codec("customer", String.class), "99", "customer:99");
            assertStored(codec("customer", Long.class), 99L, "customer:99");
            assertStored(codec("customer", Long.class), Long.MAX_VALUE, "customer:9223372036854775807");
            assertStored(codec("customer", Long.class), Long.MIN_VALUE, "customer:-9223372036854775808");
            assertStored(codec("customer", Integer.class), -99, "customer:-99");
            assertStored(codec("customer", Short.class), (short) 99, "customer:99");
            assertStored(codec("customer", Byte.class), (byte) 99, "customer:99");
            assertStored(codec("customer", Boolean.class), true, "customer:true");
            assertStored(codec("customer", Character.class), ':', "customer::");
            assertStored(codec("customer", BigInteger.class), BigInteger.TEN.pow(20), "customer:100000000000000000000");
            assertStored(codec("customer", UUID.class), ID, "customer:" + ID);
            assertStored(codec("customer", LocalDate.class), TIME.toLocalDate(), "customer:2024-02-29");
        }
    }

    @Nested
    class InAnUntypedCache {
        @Test
        void string_isBare() {
            assertStored(untyped, "99", "customer:99");
            assertStored(codec("customer", Serializable.class), "99", "customer:99");
            assertStored(codec("customer", CharSequence.class), "99", "customer:99");
        }

        @Test
        void otherClass_isNamedBehindTheTag() {
            assertStored(untyped, 99L, "customer:{customer:99}Long");
            assertStored(untyped, 99, "customer:{customer:99}Integer");
            assertStored(untyped, (short) 99, "customer:{customer:99}Short");
            assertStored(untyped, (byte) 99, "customer:{customer:99}Byte");
            assertStored(untyped, true, "customer:{customer:true}Boolean");
            assertStored(untyped, 'x', "customer:{customer:x}Character");
            assertStored(untyped, BigInteger.ONE, "customer:{customer:1}BigInteger");
            assertStored(untyped, new BigDecimal("1.00"), "customer:{customer:1.00}BigDecimal");
            assertStored(untyped, 1.5, "customer:{customer:1.5}Double");
            assertStored(untyped, 1.5f, "customer:{customer:1.5}Float");
            assertStored(untyped, ID, "customer:{customer:" + ID + "}UUID");
            assertStored(codec("customer", Number.class), 99L, "customer:{customer:99}Long");
        }

        @Test
        void enumConstant_namesItsClass_evenIfItHasABody() {
            String form = KeyCodecFixture.NAME + "$Color";

            assertStored(untyped, Color.RED, "customer:{customer:RED}" + form);
            assertStored(untyped, Color.GREEN, "customer:{customer:GREEN}" + form);
        }

        @Test
        void uri_hasOneText_inWhateverCaseItIsEqual() {
            URI uri = URI.create("http://me@acme.com:80/A%2Fb?q#f");

            assertStored(untyped, uri, "customer:{customer:http://me@acme.com:80/A%252Fb?q#f}URI");
            assertStored(untyped, URI.create("mailto:Ada"), "customer:{customer:mailto:Ada}URI");
            assertStored(untyped, URI.create("/a"), "customer:{customer:/a}URI");
            assertThat(URI.create("HTTP://me@ACME.com:80/A%2fb?q#f")).isEqualTo(uri);
            assertThat(untyped.encode(URI.create("HTTP://me@ACME.com:80/A%2fb?q#f")))
                    .isEqualTo(untyped.encode(uri));
        }

        @Test
        void class_isItsName_andIsLoadedIfItIsAllowed() {
            assertStored(untyped, Color.class, "customer:{customer:" + KeyCodecFixture.NAME + "$Color}Class");
            assertStored(untyped, String.class, "customer:{customer:java.lang.String}Class");
            assertStored(untyped, int.class, "customer:{customer:int}Class");
            assertStored(untyped, String[].class, "customer:{customer:[Ljava.lang.String;}Class");
            assertThatThrownBy(() -> untyped.decode(KeyCodecFixture.stored("customer:{customer:com.acme.Evil}Class")))
                    .isInstanceOf(CodecException.class);
        }

        @Test
        void timesOfSql_keepTheirClass() {
            Timestamp timestamp = new Timestamp(0);
            timestamp.setNanos(1);

            assertStored(untyped, timestamp, "customer:{customer:1970-01-01T00:00:00.000000001Z}Timestamp");
            assertStored(untyped, new java.sql.Date(5), "customer:{customer:1970-01-01T00:00:00.005Z}SqlDate");
            assertStored(untyped, new java.sql.Time(5), "customer:{customer:1970-01-01T00:00:00.005Z}SqlTime");
        }

        @Test
        void timeAndOtherValues_haveShortForms() {
            assertStored(untyped, Instant.EPOCH, "customer:{customer:1970-01-01T00:00:00Z}Instant");
            assertStored(untyped, TIME, "customer:{customer:2024-02-29T12:30}LocalDateTime");
            assertStored(untyped, LocalTime.NOON, "customer:{customer:12:00}LocalTime");
            assertStored(untyped, Duration.ofMillis(-1500), "customer:{customer:PT-1.5S}Duration");
            assertStored(untyped, Period.ofDays(3), "customer:{customer:P3D}Period");
            assertStored(untyped, Year.of(12024), "customer:{customer:12024}Year");
            assertStored(untyped, YearMonth.of(12024, 5), "customer:{customer:+12024-05}YearMonth");
            assertStored(untyped, MonthDay.of(2, 29), "customer:{customer:--02-29}MonthDay");
            assertStored(untyped, ZoneOffset.UTC, "customer:{customer:Z}ZoneOffset");
            assertStored(untyped, ZoneId.of("Europe/Paris"), "customer:{customer:Europe/Paris}ZoneId");
            assertStored(
                    untyped,
                    OffsetDateTime.of(TIME, ZoneOffset.ofHours(2)),
                    "customer:{customer:2024-02-29T12:30+02:00}OffsetDateTime");
            assertStored(
                    untyped, OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC), "customer:{customer:12:00Z}OffsetTime");
            assertStored(untyped, new Date(0), "customer:{customer:1970-01-01T00:00:00Z}Date");
            assertStored(untyped, Locale.CANADA_FRENCH, "customer:{customer:fr-CA}Locale");
            assertStored(untyped, Currency.getInstance("EUR"), "customer:{customer:EUR}Currency");
        }

        @Test
        void bothHoursOfTheEndOfSummerTime_comeBack() {
            ZonedDateTime twice = ZonedDateTime.of(LocalDateTime.of(2024, 10, 27, 2, 30), ZoneId.of("Europe/Paris"));

            assertStored(
                    untyped,
                    twice.withEarlierOffsetAtOverlap(),
                    "customer:{customer:2024-10-27T02:30+02:00[Europe/Paris]}ZonedDateTime");
            assertStored(
                    untyped,
                    twice.withLaterOffsetAtOverlap(),
                    "customer:{customer:2024-10-27T02:30+01:00[Europe/Paris]}ZonedDateTime");
        }
    }

    @Nested
    class FloatingPointNumbers {
        private final KeyCodec<Double> doubles = codec("n", Double.class);

        @Test
        void text_isTheShortestThatComesBack() {
            assertStored(doubles, 0.1, "n:0.1");
            assertStored(doubles, 100.0, "n:100.0");
            assertStored(doubles, 1e22, "n:1E+22");
            assertStored(doubles, 2e-3, "n:0.002");
            assertStored(doubles, 0.1 + 0.2, "n:0.30000000000000004");
            assertStored(doubles, Double.MIN_VALUE, "n:5E-324");
            assertStored(doubles, Double.MAX_VALUE, "n:1.7976931348623157E+308");
            assertStored(codec("n", Float.class), 0.1f, "n:0.1");
            assertStored(codec("n", Float.class), Float.MAX_VALUE, "n:3.4028235E+38");
        }
    }

    @Test
    void reservedCharacter_isPercentEncoded() {
        assertStored(untyped, "a{b}c%", "customer:a%7Bb%7Dc%25");
        assertStored(untyped, "\ud800", "customer:%uD800");
    }

    @Nested
    class Namespaces {
        private final KeyCodec<Object> shop = codec(new KeySpace("shop", "customer", null), Object.class);

        @Test
        void namespace_isInsideAndOutsideOfTheTag() {
            assertStored(shop, "99", "shop/customer:99");
            assertStored(shop, 99L, "shop/customer:{shop/customer:99}Long");
            assertThat(shop.prefix()).isEqualTo("shop/customer:");
        }

        @Test
        void namespaceAndType_areEscaped() {
            KeyCodec<Object> codec = codec(new KeySpace("a/b", "c:{d}", null), Object.class);

            assertStored(codec, "99", "a%2Fb/c%3A%7Bd%7D:99");
            assertStored(codec, 99L, "a%2Fb/c%3A%7Bd%7D:{a%2Fb/c%3A%7Bd%7D:99}Long");
        }
    }
}
