// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static io.keyslot.client.codec.graph.JdkValues.mutable;
import static io.keyslot.client.codec.graph.JdkValues.value;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
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
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.TimeZone;

/** The types of {@code java.time}, and those before them. */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // Obsolete classes are values, too.
final class JdkTimes {
    private JdkTimes() {}

    static void addTo(Table table) {
        addLocal(table);
        addZoned(table);
        addOld(table);
    }

    private static void addLocal(Table table) {
        value(table, 21, LocalDate.class, JdkTimes::writeDate, JdkTimes::readDate);
        value(table, 22, LocalTime.class, JdkTimes::writeTime, JdkTimes::readTime);
        value(table, 23, LocalDateTime.class, JdkTimes::writeDateTime, JdkTimes::readDateTime);
        value(
                table,
                24,
                Instant.class,
                (to, v) -> writeSeconds(to, v.getEpochSecond(), v.getNano()),
                from -> Instant.ofEpochSecond(from.readVarLong(false), from.readVarInt(true)));
        value(
                table,
                25,
                Duration.class,
                (to, v) -> writeSeconds(to, v.getSeconds(), v.getNano()),
                from -> Duration.ofSeconds(from.readVarLong(false), from.readVarInt(true)));
        value(
                table,
                26,
                Period.class,
                (to, v) -> {
                    to.writeVarInt(v.getYears(), false);
                    to.writeVarInt(v.getMonths(), false);
                    to.writeVarInt(v.getDays(), false);
                },
                from -> Period.of(from.readVarInt(false), from.readVarInt(false), from.readVarInt(false)));
        value(
                table,
                32,
                Year.class,
                (to, v) -> to.writeVarInt(v.getValue(), false),
                from -> Year.of(from.readVarInt(false)));
        value(
                table,
                33,
                YearMonth.class,
                (to, v) -> {
                    to.writeVarInt(v.getYear(), false);
                    to.writeByte(v.getMonthValue());
                },
                from -> YearMonth.of(from.readVarInt(false), from.readByte()));
        value(
                table,
                34,
                MonthDay.class,
                (to, v) -> {
                    to.writeByte(v.getMonthValue());
                    to.writeByte(v.getDayOfMonth());
                },
                from -> MonthDay.of(from.readByte(), from.readByte()));
    }

    private static void addZoned(Table table) {
        value(
                table,
                27,
                ZonedDateTime.class,
                (to, v) -> {
                    writeDateTime(to, v.toLocalDateTime());
                    writeOffset(to, v.getOffset());
                    to.writeText(v.getZone().getId());
                },
                from -> {
                    LocalDateTime local = readDateTime(from);
                    ZoneOffset offset = readOffset(from);
                    return ZonedDateTime.ofLocal(local, ZoneId.of(from.readText()), offset);
                });
        value(
                table,
                28,
                OffsetDateTime.class,
                (to, v) -> {
                    writeDateTime(to, v.toLocalDateTime());
                    writeOffset(to, v.getOffset());
                },
                from -> OffsetDateTime.of(readDateTime(from), readOffset(from)));
        value(
                table,
                29,
                OffsetTime.class,
                (to, v) -> {
                    writeTime(to, v.toLocalTime());
                    writeOffset(to, v.getOffset());
                },
                from -> OffsetTime.of(readTime(from), readOffset(from)));
        value(table, 30, ZoneOffset.class, JdkTimes::writeOffset, JdkTimes::readOffset);
        table.addValue(
                31,
                new Leaf<ZoneId>((to, v) -> to.writeText(v.getId()), from -> ZoneId.of(from.readText())),
                ZoneId.of("Europe/Paris").getClass());
    }

    private static void addOld(Table table) {
        mutable(
                table,
                15,
                Date.class,
                (to, v) -> to.writeVarLong(v.getTime(), false),
                from -> new Date(from.readVarLong(false)));
        table.add(
                19,
                new Leaf<>(JdkTimes::writeTimeZone, JdkTimes::readTimeZone),
                Sharing.BY_IDENTITY,
                TimeZone.getTimeZone("Europe/Paris").getClass());
        mutable(table, 20, GregorianCalendar.class, JdkTimes::writeCalendar, JdkTimes::readCalendar);
        // A runtime image may lack the module java.sql.
        if (ModuleLayer.boot().findModule("java.sql").isPresent()) {
            SqlTimes.addTo(table);
        }
    }

    private static void writeDate(ValueOutput to, LocalDate date) {
        to.writeVarInt(date.getYear(), false);
        to.writeByte(date.getMonthValue());
        to.writeByte(date.getDayOfMonth());
    }

    private static LocalDate readDate(BoundedInput from) {
        return LocalDate.of(from.readVarInt(false), from.readByte(), from.readByte());
    }

    private static void writeTime(ValueOutput to, LocalTime time) {
        to.writeVarLong(time.toNanoOfDay(), true);
    }

    private static LocalTime readTime(BoundedInput from) {
        return LocalTime.ofNanoOfDay(from.readVarLong(true));
    }

    private static void writeDateTime(ValueOutput to, LocalDateTime value) {
        writeDate(to, value.toLocalDate());
        writeTime(to, value.toLocalTime());
    }

    private static LocalDateTime readDateTime(BoundedInput from) {
        return LocalDateTime.of(readDate(from), readTime(from));
    }

    private static void writeOffset(ValueOutput to, ZoneOffset offset) {
        to.writeVarInt(offset.getTotalSeconds(), false);
    }

    private static ZoneOffset readOffset(BoundedInput from) {
        return ZoneOffset.ofTotalSeconds(from.readVarInt(false));
    }

    private static void writeSeconds(ValueOutput to, long seconds, int nanos) {
        to.writeVarLong(seconds, false);
        to.writeVarInt(nanos, true);
    }

    private static void writeTimeZone(ValueOutput to, TimeZone zone) {
        if (!TimeZone.getTimeZone(zone.getID()).equals(zone)) {
            throw new CodecException("Codec kryo: a changed java.util.TimeZone has no encoded form");
        }
        to.writeText(zone.getID());
    }

    private static TimeZone readTimeZone(BoundedInput from) {
        String id = from.readText();
        TimeZone zone = TimeZone.getTimeZone(id);
        if (!zone.getID().equals(id)) {
            throw new KryoException("A time zone is not known here");
        }
        return zone;
    }

    private static void writeCalendar(ValueOutput to, GregorianCalendar calendar) {
        writeTimeZone(to, calendar.getTimeZone());
        to.writeVarLong(calendar.getTimeInMillis(), false);
        to.writeVarLong(calendar.getGregorianChange().getTime(), false);
        to.writeBoolean(calendar.isLenient());
        to.writeByte(calendar.getFirstDayOfWeek());
        to.writeByte(calendar.getMinimalDaysInFirstWeek());
    }

    private static GregorianCalendar readCalendar(BoundedInput from) {
        GregorianCalendar calendar = new GregorianCalendar(readTimeZone(from));
        calendar.setTimeInMillis(from.readVarLong(false));
        calendar.setGregorianChange(new Date(from.readVarLong(false)));
        calendar.setLenient(from.readBoolean());
        calendar.setFirstDayOfWeek(from.readByte());
        calendar.setMinimalDaysInFirstWeek(from.readByte());
        return calendar;
    }
}
