// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.cache.MissCause;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How calls of caches are named: {@code keyslot.call}, with the low-cardinality keys {@code cache}, {@code cache.manager},
 * {@code operation}, {@code outcome} and {@code cause}. No key of an entry is among them, and nothing is of high cardinality.
 *
 * <p>To have it otherwise, an application extends this class, implements {@code GlobalObservationConvention<CallContext>}, and
 * hands its convention to the configuration of the registry; with Spring Boot it is enough that it is a bean.
 */
@SuppressWarnings("exports") // who uses this requires Micrometer
public class CallConvention implements ObservationConvention<CallContext> {
    private static final Map<CallOutcome, KeyValue> OUTCOMES = values("outcome", CallOutcome.class);
    private static final Map<MissCause, KeyValue> CAUSES = values("cause", MissCause.class);
    private static final KeyValue UNKNOWN = KeyValue.of("outcome", "unknown");
    private static final KeyValue NO_CAUSE = KeyValue.of("cause", "none");
    private static final KeyValue SEVERAL_CAUSES = KeyValue.of("cause", "several");

    /** Beyond this number, what is not remembered is made anew each time. */
    private static final int MOST_REMEMBERED = 4_096;

    /** Key values are sorted when they are made, which takes longer than to find them: they are asked for twice in each call. */
    private final ConcurrentMap<Form, KeyValues> remembered = new ConcurrentHashMap<>();

    /** All that tells the key values of one call from those of another. */
    private record Form(String manager, String cache, String operation, CallOutcome outcome, KeyValue cause) {
        KeyValues keyValues() {
            return KeyValues.of(
                    KeyValue.of("cache", cache),
                    KeyValue.of("cache.manager", manager),
                    cause,
                    KeyValue.of("operation", operation),
                    OUTCOMES.getOrDefault(outcome, UNKNOWN));
        }
    }

    /** Called by those that extend it, too. */
    public CallConvention() {}

    private static <E extends Enum<E>> Map<E, KeyValue> values(String key, Class<E> type) {
        Map<E, KeyValue> values = new EnumMap<>(type);
        Arrays.stream(type.getEnumConstants())
                .forEach(each -> values.put(each, KeyValue.of(key, each.name().toLowerCase(Locale.ROOT))));
        return values;
    }

    @Override
    public String getName() {
        return "keyslot.call";
    }

    @Override
    public String getContextualName(CallContext context) {
        return context.operation() + " " + context.cache();
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallContext;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(CallContext context) {
        Form form =
                new Form(context.manager(), context.cache(), context.operation(), context.outcome(), causeOf(context));
        KeyValues known = remembered.get(form);
        return known == null ? remember(form) : known;
    }

    private KeyValues remember(Form form) {
        KeyValues made = form.keyValues();
        if (remembered.size() < MOST_REMEMBERED) {
            remembered.put(form, made);
        }
        return made;
    }

    private static KeyValue causeOf(CallContext context) {
        Set<MissCause> causes = context.causes();
        if (causes.isEmpty()) {
            return NO_CAUSE;
        }
        return causes.size() == 1 ? CAUSES.getOrDefault(causes.iterator().next(), SEVERAL_CAUSES) : SEVERAL_CAUSES;
    }
}
